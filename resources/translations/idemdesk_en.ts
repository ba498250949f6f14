<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en_US">
<context>
    <name>ConnectionBand</name>
    <message numerus="yes">
        <source>Connection lost. Next try in %n second(s).</source>
        <translation>
            <numerusform>Connection lost. Next try in %n second.</numerusform>
            <numerusform>Connection lost. Next try in %n seconds.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ExportController</name>
    <message numerus="yes">
        <source>%Ln rows, %1, %2</source>
        <translation>
            <numerusform>%Ln row, %1, %2</numerusform>
            <numerusform>%Ln rows, %1, %2</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>JsonTreeModel</name>
    <message numerus="yes">
        <source>%n member(s)</source>
        <translation>
            <numerusform>%n member</numerusform>
            <numerusform>%n members</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n item(s)</source>
        <translation>
            <numerusform>%n item</numerusform>
            <numerusform>%n items</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>KeyDetailController</name>
    <message numerus="yes">
        <source>%n rows share this scope and key; each is shown by itself in the list.</source>
        <translation>
            <numerusform>%n row has this scope and key.</numerusform>
            <numerusform>%n rows share this scope and key; each is shown by itself in the list.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>KeysToolbar</name>
    <message numerus="yes">
        <source>Every %n second(s)</source>
        <translation>
            <numerusform>Every second</numerusform>
            <numerusform>Every %n seconds</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>MainWindow</name>
    <message numerus="yes">
        <source>%n key(s) are stale.</source>
        <translation>
            <numerusform>%n key is stale.</numerusform>
            <numerusform>%n keys are stale.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>MappingForm</name>
    <message numerus="yes">
        <source>%n status value(s) occur that stand for no state.</source>
        <translation>
            <numerusform>%n status value occurs that stands for no state.</numerusform>
            <numerusform>%n status values occur that stand for no state.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>OverviewPage</name>
    <message numerus="yes">
        <source>%n table(s) cannot be read.</source>
        <translation>
            <numerusform>%n table cannot be read.</numerusform>
            <numerusform>%n tables cannot be read.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Tr</name>
    <message numerus="yes">
        <source>The answer broke off after %n row(s).</source>
        <translation>
            <numerusform>The answer broke off after %n row.</numerusform>
            <numerusform>The answer broke off after %n rows.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>It has %n row(s).</source>
        <translation>
            <numerusform>It has %n row.</numerusform>
            <numerusform>It has %n rows.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>idemdesk</name>
    <message numerus="yes">
        <source>%n picture(s) written.</source>
        <translation>
            <numerusform>%n picture written.</numerusform>
            <numerusform>%n pictures written.</numerusform>
        </translation>
    </message>
</context>
</TS>
