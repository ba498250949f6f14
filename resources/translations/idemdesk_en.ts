<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en_US">
<context>
    <name>ActionDialog</name>
    <message numerus="yes">
        <source>%Ln row(s) skipped</source>
        <translation>
            <numerusform>%Ln row skipped</numerusform>
            <numerusform>%Ln rows skipped</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln key(s) skipped</source>
        <translation>
            <numerusform>%Ln key skipped</numerusform>
            <numerusform>%Ln keys skipped</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ActionStrip</name>
    <message numerus="yes">
        <source>%n more action(s) are open; the Audit page lists them.</source>
        <translation>
            <numerusform>%n more action is open; the Audit page lists it.</numerusform>
            <numerusform>%n more actions are open; the Audit page lists them.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ActivityModel</name>
    <message numerus="yes">
        <source>Blocks %n session(s)</source>
        <translation>
            <numerusform>Blocks %n session</numerusform>
            <numerusform>Blocks %n sessions</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ActivityPage</name>
    <message numerus="yes">
        <source>%n deadlock(s)</source>
        <translation>
            <numerusform>%n deadlock</numerusform>
            <numerusform>%n deadlocks</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n statement(s) cancelled by replication</source>
        <translation>
            <numerusform>%n statement cancelled by replication</numerusform>
            <numerusform>%n statements cancelled by replication</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n session(s)</source>
        <translation>
            <numerusform>%n session</numerusform>
            <numerusform>%n sessions</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n rollback(s) by other sessions</source>
        <translation>
            <numerusform>%n rollback by other sessions</numerusform>
            <numerusform>%n rollbacks by other sessions</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>No session holds or awaits a lock on %n table(s).</source>
        <translation>
            <numerusform>No session holds or awaits a lock on %n table.</numerusform>
            <numerusform>No session holds or awaits a lock on %n tables.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n session(s) blocked.</source>
        <translation>
            <numerusform>%n session is blocked.</numerusform>
            <numerusform>%n sessions are blocked.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>AddTableDialog</name>
    <message numerus="yes">
        <source>%n more could not be looked at by this login.</source>
        <translation>
            <numerusform>%n more could not be looked at by this login.</numerusform>
            <numerusform>%n more could not be looked at by this login.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n more</source>
        <translation>
            <numerusform>%n more</numerusform>
            <numerusform>%n more</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>&amp;Hide %n already added</source>
        <translation>
            <numerusform>&amp;Hide %n already added</numerusform>
            <numerusform>&amp;Hide %n already added</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>S&amp;how %n already added</source>
        <translation>
            <numerusform>S&amp;how %n already added</numerusform>
            <numerusform>S&amp;how %n already added</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>AlertGroups</name>
    <message numerus="yes">
        <source>%1: %n table(s)</source>
        <translation>
            <numerusform>%1: %n table</numerusform>
            <numerusform>%1: %n tables</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n alert(s) need a person</source>
        <translation>
            <numerusform>%n alert needs a person</numerusform>
            <numerusform>%n alerts need a person</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n alert(s), not yet for long enough</source>
        <translation>
            <numerusform>%n alert, not yet for long enough</numerusform>
            <numerusform>%n alerts, not yet for long enough</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n alert(s), until they end or get worse</source>
        <translation>
            <numerusform>%n alert, until it ends or gets worse</numerusform>
            <numerusform>%n alerts, until they end or get worse</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n rule(s) are quiet</source>
        <translation>
            <numerusform>%n rule is quiet</numerusform>
            <numerusform>%n rules are quiet</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n rule(s) not checked</source>
        <translation>
            <numerusform>%n rule not checked</numerusform>
            <numerusform>%n rules not checked</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>AlertsView</name>
    <message numerus="yes">
        <source>%n alert(s) firing.</source>
        <translation>
            <numerusform>%n alert firing.</numerusform>
            <numerusform>%n alerts firing.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n table(s) could not be read, so none of their alerts is judged.</source>
        <translation>
            <numerusform>%n table could not be read, so none of its alerts is judged.</numerusform>
            <numerusform>%n tables could not be read, so none of their alerts is judged.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n without data.</source>
        <translation>
            <numerusform>%n without data.</numerusform>
            <numerusform>%n without data.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n of them acknowledged on this computer.</source>
        <translation>
            <numerusform>%n of them acknowledged on this computer.</numerusform>
            <numerusform>%n of them acknowledged on this computer.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ApprovalPreview</name>
    <message numerus="yes">
        <source>%Ln more: %1</source>
        <comment>scopes, and their rows</comment>
        <translation>
            <numerusform>%Ln more: %1</numerusform>
            <numerusform>%Ln more: %1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>AuditModel</name>
    <message numerus="yes">
        <source>%Ln release(s) of claims in a cache</source>
        <translation>
            <numerusform>%Ln release of a claim in a cache</numerusform>
            <numerusform>%Ln releases of claims in a cache</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>AuditPage</name>
    <message numerus="yes">
        <source>Drop the detached partition %1 with its %Ln row(s)? This cannot be undone.</source>
        <translation>
            <numerusform>Drop the detached partition %1 with its %Ln row? This cannot be undone.</numerusform>
            <numerusform>Drop the detached partition %1 with its %Ln rows? This cannot be undone.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>CachePage</name>
    <message numerus="yes">
        <source>%Ln more minute(s) are crowded, too.</source>
        <translation>
            <numerusform>%Ln more minute is crowded, too.</numerusform>
            <numerusform>%Ln more minutes are crowded, too.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ChipRow</name>
    <message numerus="yes">
        <source>%n more</source>
        <comment>filters that are not shown</comment>
        <translation>
            <numerusform>%n more</numerusform>
            <numerusform>%n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ClassBar</name>
    <message numerus="yes">
        <source>%n cannot be selected: %1</source>
        <translation>
            <numerusform>%n cannot be selected: %1</numerusform>
            <numerusform>%n cannot be selected: %1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>CompareView</name>
    <message numerus="yes">
        <source>%n changed</source>
        <translation>
            <numerusform>%n changed</numerusform>
            <numerusform>%n changed</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n added</source>
        <translation>
            <numerusform>%n added</numerusform>
            <numerusform>%n added</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n removed</source>
        <translation>
            <numerusform>%n removed</numerusform>
            <numerusform>%n removed</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n moved</source>
        <translation>
            <numerusform>%n moved</numerusform>
            <numerusform>%n moved</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n ignored by rule</source>
        <translation>
            <numerusform>%n ignored by rule</numerusform>
            <numerusform>%n ignored by rule</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ComplaintsPage</name>
    <message numerus="yes">
        <source>&amp;Get verdict on %n</source>
        <translation>
            <numerusform>&amp;Get verdict on %n</numerusform>
            <numerusform>&amp;Get verdict on %n</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n table(s) searched</source>
        <translation>
            <numerusform>%n table searched</numerusform>
            <numerusform>%n tables searched</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n not searched</source>
        <translation>
            <numerusform>%n not searched</numerusform>
            <numerusform>%n not searched</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Incomplete: %1 of %n table(s) not searched.</source>
        <translation>
            <numerusform>Incomplete: %1 of %n table not searched.</numerusform>
            <numerusform>Incomplete: %1 of %n tables not searched.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>First %n match(es)</source>
        <translation>
            <numerusform>First match</numerusform>
            <numerusform>First %n matches</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n match(es)</source>
        <translation>
            <numerusform>%n match</numerusform>
            <numerusform>%n matches</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ConflictsView</name>
    <message numerus="yes">
        <source>%n line(s) were not understood.</source>
        <translation>
            <numerusform>%n line was not understood.</numerusform>
            <numerusform>%n lines were not understood.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1: %2 line(s); %3 told of a key, %4 of them new.</source>
        <translation>
            <numerusform>%1: %2 line; %3 told of a key, %4 of them new.</numerusform>
            <numerusform>%1: %2 lines; %3 told of a key, %4 of them new.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n time(s)</source>
        <translation>
            <numerusform>%n time</numerusform>
            <numerusform>%n times</numerusform>
        </translation>
    </message>
</context>
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
    <name>DifferencePane</name>
    <message numerus="yes">
        <source>Hide %n equal line(s)</source>
        <translation>
            <numerusform>Hide %n equal line</numerusform>
            <numerusform>Hide %n equal lines</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Show %n equal line(s)</source>
        <translation>
            <numerusform>Show %n equal line</numerusform>
            <numerusform>Show %n equal lines</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>DuplicatesView</name>
    <message numerus="yes">
        <source>Last %n day(s)</source>
        <translation>
            <numerusform>Last day</numerusform>
            <numerusform>Last %n days</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n key(s)</source>
        <translation>
            <numerusform>%n key</numerusform>
            <numerusform>%n keys</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n group(s)</source>
        <translation>
            <numerusform>%n group</numerusform>
            <numerusform>%n groups</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n probably done more than once</source>
        <translation>
            <numerusform>%n probably done more than once</numerusform>
            <numerusform>%n probably done more than once</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>and %n more</numerusform>
            <numerusform>and %n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>EvidenceDialog</name>
    <message numerus="yes">
        <source>Record %Ln finding(s) as evidence?</source>
        <translation>
            <numerusform>Record %Ln finding as evidence?</numerusform>
            <numerusform>Record %Ln findings as evidence?</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The statement is compl&amp;ete for its time: also record the %Ln “Only here”</source>
        <translation>
            <numerusform>The statement is compl&amp;ete for its time: also record the %Ln “Only here”</numerusform>
            <numerusform>The statement is compl&amp;ete for its time: also record the %Ln “Only here”</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Rec&amp;ord %Ln finding(s)</source>
        <translation>
            <numerusform>Rec&amp;ord %Ln finding</numerusform>
            <numerusform>Rec&amp;ord %Ln findings</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ExpiryBars</name>
    <message numerus="yes">
        <source>%Ln crowded minute(s)</source>
        <translation>
            <numerusform>%Ln crowded minute</numerusform>
            <numerusform>%Ln crowded minutes</numerusform>
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
    <name>FlowView</name>
    <message numerus="yes">
        <source>%Ln key(s)</source>
        <translation>
            <numerusform>%Ln key</numerusform>
            <numerusform>%Ln keys</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>GroupActionList</name>
    <message numerus="yes">
        <source>Ready, %Ln warning(s)</source>
        <translation>
            <numerusform>Ready, %Ln warning</numerusform>
            <numerusform>Ready, %Ln warnings</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>GroupDuplicatesView</name>
    <message numerus="yes">
        <source>Last %n day(s)</source>
        <translation>
            <numerusform>Last day</numerusform>
            <numerusform>Last %n days</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n group(s)</source>
        <translation>
            <numerusform>%n group</numerusform>
            <numerusform>%n groups</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n probably done more than once</source>
        <translation>
            <numerusform>%n probably done more than once</numerusform>
            <numerusform>%n probably done more than once</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Hide %n &amp;note(s)</source>
        <translation>
            <numerusform>Hide %n &amp;note</numerusform>
            <numerusform>Hide %n &amp;notes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Show %n &amp;note(s)</source>
        <translation>
            <numerusform>Show %n &amp;note</numerusform>
            <numerusform>Show %n &amp;notes</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>GroupKeysView</name>
    <message numerus="yes">
        <source>%n key(s) read</source>
        <translation>
            <numerusform>%n key read</numerusform>
            <numerusform>%n keys read</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>GuardView</name>
    <message numerus="yes">
        <source>%Ln red finding(s) about triggers, functions or grants.</source>
        <translation>
            <numerusform>%Ln red finding about triggers, functions or grants.</numerusform>
            <numerusform>%Ln red findings about triggers, functions or grants.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln finding(s) weaken what the audit log proves.</source>
        <translation>
            <numerusform>%Ln finding weakens what the audit log proves.</numerusform>
            <numerusform>%Ln findings weaken what the audit log proves.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>HealthGroups</name>
    <message numerus="yes">
        <source>%1: %n table(s)</source>
        <translation>
            <numerusform>%1: %n table</numerusform>
            <numerusform>%1: %n tables</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n to fix</source>
        <comment>findings</comment>
        <translation>
            <numerusform>%n to fix</numerusform>
            <numerusform>%n to fix</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n to consider</source>
        <comment>findings</comment>
        <translation>
            <numerusform>%n to consider</numerusform>
            <numerusform>%n to consider</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n could not be checked</source>
        <comment>findings</comment>
        <translation>
            <numerusform>%n could not be checked</numerusform>
            <numerusform>%n could not be checked</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n without data yet</source>
        <comment>findings</comment>
        <translation>
            <numerusform>%n without data yet</numerusform>
            <numerusform>%n without data yet</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n passed</source>
        <comment>findings</comment>
        <translation>
            <numerusform>%n passed</numerusform>
            <numerusform>%n passed</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>HealthPage</name>
    <message numerus="yes">
        <source>%n problem(s)</source>
        <translation>
            <numerusform>%n problem</numerusform>
            <numerusform>%n problems</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n not known</source>
        <translation>
            <numerusform>%n not known</numerusform>
            <numerusform>%n not known</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n good</source>
        <translation>
            <numerusform>%n good</numerusform>
            <numerusform>%n good</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n suggestion(s)</source>
        <translation>
            <numerusform>%n suggestion</numerusform>
            <numerusform>%n suggestions</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n without data</source>
        <translation>
            <numerusform>%n without data</numerusform>
            <numerusform>%n without data</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n check(s) are good. Switch them on above to see them.</source>
        <translation>
            <numerusform>%n check is good. Switch it on above to see it.</numerusform>
            <numerusform>%n checks are good. Switch them on above to see them.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>HelpDialog</name>
    <message numerus="yes">
        <source>%n result(s)</source>
        <translation>
            <numerusform>%n result</numerusform>
            <numerusform>%n results</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>IncidentController</name>
    <message numerus="yes">
        <source>%1: %n table(s)</source>
        <translation>
            <numerusform>%1: %n table</numerusform>
            <numerusform>%1: %n tables</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n rule(s) cannot be judged</source>
        <translation>
            <numerusform>%n rule cannot be judged</numerusform>
            <numerusform>%n rules cannot be judged</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 and %n more</source>
        <translation>
            <numerusform>%1 and %n more</numerusform>
            <numerusform>%1 and %n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>IncidentPage</name>
    <message numerus="yes">
        <source>%1; stuck keys in %n more</source>
        <translation>
            <numerusform>%1; stuck keys in %n more</numerusform>
            <numerusform>%1; stuck keys in %n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>InstallWizard</name>
    <message numerus="yes">
        <source>The login %1 lacks %n right(s).</source>
        <translation>
            <numerusform>The login %1 lacks %n right.</numerusform>
            <numerusform>The login %1 lacks %n rights.</numerusform>
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
    <name>KeySpreadController</name>
    <message numerus="yes">
        <source>%n key(s)</source>
        <translation>
            <numerusform>%n key</numerusform>
            <numerusform>%n keys</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>KeyTableView</name>
    <message numerus="yes">
        <source>&amp;Recover %n key(s)…</source>
        <translation>
            <numerusform>&amp;Recover %n key…</numerusform>
            <numerusform>&amp;Recover %n keys…</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Re&amp;queue %n key(s)…</source>
        <translation>
            <numerusform>Re&amp;queue %n key…</numerusform>
            <numerusform>Re&amp;queue %n keys…</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Case &amp;file of %n key(s)…</source>
        <translation>
            <numerusform>Case &amp;file of %n key…</numerusform>
            <numerusform>Case &amp;file of %n keys…</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>KeysPage</name>
    <message numerus="yes">
        <source>A case file holds at most %n key(s).</source>
        <translation>
            <numerusform>A case file holds at most %n key.</numerusform>
            <numerusform>A case file holds at most %n keys.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>MainWindow</name>
    <message numerus="yes">
        <source>%n way(s) of replication do not work.</source>
        <translation>
            <numerusform>%n way of replication does not work.</numerusform>
            <numerusform>%n ways of replication do not work.</numerusform>
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
    <name>MemberAction</name>
    <message numerus="yes">
        <source>Since it was planned the other regions hold %Ln key(s) back.</source>
        <translation>
            <numerusform>Since it was planned the other regions hold %Ln key back.</numerusform>
            <numerusform>Since it was planned the other regions hold %Ln keys back.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>NoteCard</name>
    <message numerus="yes">
        <source>All %n</source>
        <translation>
            <numerusform>All %n</numerusform>
            <numerusform>All %n</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>All %n kind(s)</source>
        <translation>
            <numerusform>All %n kind</numerusform>
            <numerusform>All %n kinds</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>OpenRequestsView</name>
    <message numerus="yes">
        <source>The first %Ln keys</source>
        <translation>
            <numerusform>The first %Ln key</numerusform>
            <numerusform>The first %Ln keys</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln key(s)</source>
        <translation>
            <numerusform>%Ln key</numerusform>
            <numerusform>%Ln keys</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln key(s) have no reference yet and are left out.</source>
        <translation>
            <numerusform>%Ln key has no reference yet and is left out.</numerusform>
            <numerusform>%Ln keys have no reference yet and are left out.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln reference(s) written to %1.</source>
        <translation>
            <numerusform>%Ln reference written to %1.</numerusform>
            <numerusform>%Ln references written to %1.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>OverviewModel</name>
    <message numerus="yes">
        <source>%n alert(s)</source>
        <translation>
            <numerusform>%n alert</numerusform>
            <numerusform>%n alerts</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>PurgePage</name>
    <message numerus="yes">
        <source>Show %n key(s)</source>
        <translation>
            <numerusform>Show %n key</numerusform>
            <numerusform>Show %n keys</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n scope(s) are empty now. A late retry there runs as a new request.</source>
        <translation>
            <numerusform>%n scope is empty now. A late retry there runs as a new request.</numerusform>
            <numerusform>%n scopes are empty now. A late retry there runs as a new request.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Show %n scope(s)</source>
        <translation>
            <numerusform>Show %n scope</numerusform>
            <numerusform>Show %n scopes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n scope(s) may be empty now. A late retry there runs as a new request.</source>
        <translation>
            <numerusform>%n scope may be empty now. A late retry there runs as a new request.</numerusform>
            <numerusform>%n scopes may be empty now. A late retry there runs as a new request.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>RailCounts</name>
    <message numerus="yes">
        <source>%n action(s) were left open.</source>
        <translation>
            <numerusform>%n action was left open.</numerusform>
            <numerusform>%n actions were left open.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n action(s) wait for approval.</source>
        <translation>
            <numerusform>%n action waits for approval.</numerusform>
            <numerusform>%n actions wait for approval.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n alert(s) firing.</source>
        <translation>
            <numerusform>%n alert firing.</numerusform>
            <numerusform>%n alerts firing.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n key(s) are stuck.</source>
        <translation>
            <numerusform>%n key is stuck.</numerusform>
            <numerusform>%n keys are stuck.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n more acknowledged.</source>
        <translation>
            <numerusform>%n more acknowledged.</numerusform>
            <numerusform>%n more acknowledged.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>At least %n key(s) are stuck: not all are counted yet.</source>
        <translation>
            <numerusform>At least %n key is stuck: not all are counted yet.</numerusform>
            <numerusform>At least %n keys are stuck: not all are counted yet.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>RecoveryPage</name>
    <message numerus="yes">
        <source>None of these %n key(s) can be recovered together.</source>
        <translation>
            <numerusform>This key cannot be recovered here.</numerusform>
            <numerusform>None of these %n keys can be recovered together.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n of them is gone.</source>
        <translation>
            <numerusform>%n of them is gone.</numerusform>
            <numerusform>%n of them are gone.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Only the %n selected key(s) are shown.</source>
        <translation>
            <numerusform>Only the selected key is shown.</numerusform>
            <numerusform>Only the %n selected keys are shown.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n key(s) can be selected.</source>
        <translation>
            <numerusform>%n key can be selected.</numerusform>
            <numerusform>%n keys can be selected.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n key(s) need a person</source>
        <translation>
            <numerusform>%n key needs a person</numerusform>
            <numerusform>%n keys need a person</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Without %n key(s) stuck for under a minute; their workers may be finishing.</source>
        <translation>
            <numerusform>Without %n key stuck for under a minute; its worker may be finishing.</numerusform>
            <numerusform>Without %n keys stuck for under a minute; their workers may be finishing.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>RegionAligner</name>
    <message numerus="yes">
        <source>%n key(s) changed since they were planned.</source>
        <translation>
            <numerusform>%n key changed since it was planned.</numerusform>
            <numerusform>%n keys changed since they were planned.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ReplicationView</name>
    <message numerus="yes">
        <source>%1 of %n member(s) answered</source>
        <translation>
            <numerusform>%1 of %n member answered</numerusform>
            <numerusform>%1 of %n members answered</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ReviewGroups</name>
    <message numerus="yes">
        <source>%n question(s) wait for an answer</source>
        <translation>
            <numerusform>%n question waits for an answer</numerusform>
            <numerusform>%n questions wait for an answer</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n question(s) are settled</source>
        <translation>
            <numerusform>%n question is settled</numerusform>
            <numerusform>%n questions are settled</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n question(s) do not apply</source>
        <translation>
            <numerusform>%n question does not apply</numerusform>
            <numerusform>%n questions do not apply</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n question(s) have a gap</source>
        <translation>
            <numerusform>%n question has a gap</numerusform>
            <numerusform>%n questions have a gap</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ReviewView</name>
    <message numerus="yes">
        <source>%n gap(s)</source>
        <translation>
            <numerusform>%n gap</numerusform>
            <numerusform>%n gaps</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n open</source>
        <comment>questions</comment>
        <translation>
            <numerusform>%n open</numerusform>
            <numerusform>%n open</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n settled</source>
        <comment>questions</comment>
        <translation>
            <numerusform>%n settled</numerusform>
            <numerusform>%n settled</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n do(es) not apply</source>
        <comment>questions</comment>
        <translation>
            <numerusform>%n does not apply</numerusform>
            <numerusform>%n do not apply</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>RunbookListDelegate</name>
    <message numerus="yes">
        <source>%Ln alert(s)</source>
        <translation>
            <numerusform>%Ln alert</numerusform>
            <numerusform>%Ln alerts</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln answer(s)</source>
        <translation>
            <numerusform>%Ln answer</numerusform>
            <numerusform>%Ln answers</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>RunbookResult</name>
    <message numerus="yes">
        <source>%n answer(s) need a person</source>
        <translation>
            <numerusform>%n answer needs a person</numerusform>
            <numerusform>%n answers need a person</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n unknown</source>
        <comment>answers</comment>
        <translation>
            <numerusform>%n unknown</numerusform>
            <numerusform>%n unknown</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n fine</source>
        <comment>answers</comment>
        <translation>
            <numerusform>%n fine</numerusform>
            <numerusform>%n fine</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>RunbookView</name>
    <message numerus="yes">
        <source>%n table(s): does not apply</source>
        <translation>
            <numerusform>%n table: does not apply</numerusform>
            <numerusform>%n tables: does not apply</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 in %n table(s).</source>
        <translation>
            <numerusform>%1 in %n table.</numerusform>
            <numerusform>%1 in %n tables.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>RunbooksPage</name>
    <message numerus="yes">
        <source>%n alert(s) firing.</source>
        <translation>
            <numerusform>%n alert firing.</numerusform>
            <numerusform>%n alerts firing.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n answer(s) need a person.</source>
        <translation>
            <numerusform>%n answer needs a person.</numerusform>
            <numerusform>%n answers need a person.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>StatementView</name>
    <message numerus="yes">
        <source>%Ln finding(s) recorded as evidence.</source>
        <translation>
            <numerusform>%Ln finding recorded as evidence.</numerusform>
            <numerusform>%Ln findings recorded as evidence.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln line(s)</source>
        <translation>
            <numerusform>%Ln line</numerusform>
            <numerusform>%Ln lines</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %Ln more</source>
        <translation>
            <numerusform>and %Ln more</numerusform>
            <numerusform>and %Ln more</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln “Only here” not recorded: the statement is not marked complete.</source>
        <translation>
            <numerusform>%Ln “Only here” not recorded: the statement is not marked complete.</numerusform>
            <numerusform>%Ln “Only here” not recorded: the statement is not marked complete.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln finding(s)</source>
        <translation>
            <numerusform>%Ln finding</numerusform>
            <numerusform>%Ln findings</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln agree</source>
        <comment>requests, with their keys</comment>
        <translation>
            <numerusform>%Ln agrees</numerusform>
            <numerusform>%Ln agree</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Tr</name>
    <message numerus="yes">
        <source>%n session(s) hold locks on the tables.</source>
        <translation>
            <numerusform>%n session holds locks on the tables.</numerusform>
            <numerusform>%n sessions hold locks on the tables.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n session(s) wait.</source>
        <translation>
            <numerusform>%n session waits.</numerusform>
            <numerusform>%n sessions wait.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The server counts %n deadlock(s) in this database %1.</source>
        <translation>
            <numerusform>The server counts %n deadlock in this database %1.</numerusform>
            <numerusform>The server counts %n deadlocks in this database %1.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n of them since this program began to look.</source>
        <translation>
            <numerusform>%n of them since this program began to look.</numerusform>
            <numerusform>%n of them since this program began to look.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n statement(s) were cancelled for replay.</source>
        <translation>
            <numerusform>%n statement was cancelled for replay.</numerusform>
            <numerusform>%n statements were cancelled for replay.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n advisory lock(s) are held.</source>
        <translation>
            <numerusform>%n advisory lock is held.</numerusform>
            <numerusform>%n advisory locks are held.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n record(s) of the last day.</source>
        <translation>
            <numerusform>%n record of the last day.</numerusform>
            <numerusform>%n records of the last day.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n reused key(s) in the last hour.</source>
        <translation>
            <numerusform>%n reused key in the last hour.</numerusform>
            <numerusform>%n reused keys in the last hour.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n purge(s) run, or wait for approval.</source>
        <translation>
            <numerusform>%n purge runs, or waits for approval.</numerusform>
            <numerusform>%n purges run, or wait for approval.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n purge(s) of the last week took what was planned.</source>
        <translation>
            <numerusform>%n purge of the last week took what was planned.</numerusform>
            <numerusform>%n purges of the last week took what was planned.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The purge of “%1” by %2 took %n row(s).</source>
        <translation>
            <numerusform>The purge of “%1” by %2 took %n row.</numerusform>
            <numerusform>The purge of “%1” by %2 took %n rows.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Of %n standby(s), the slowest is %1 behind.</source>
        <translation>
            <numerusform>The standby is %1 behind.</numerusform>
            <numerusform>Of %n standbys, the slowest is %1 behind.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n such standby(s) stream.</source>
        <translation>
            <numerusform>%n such standby streams.</numerusform>
            <numerusform>%n such standbys stream.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n group(s) of the last hour.</source>
        <translation>
            <numerusform>%n group of the last hour.</numerusform>
            <numerusform>%n groups of the last hour.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n question(s) could not be answered: %1.</source>
        <translation>
            <numerusform>%n question could not be answered: %1.</numerusform>
            <numerusform>%n questions could not be answered: %1.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The evidence of %n row(s) is unreadable, because the query of an effect fails on them.</source>
        <translation>
            <numerusform>The evidence of %n row is unreadable, because the query of an effect fails on it.</numerusform>
            <numerusform>The evidence of %n rows is unreadable, because the query of an effect fails on them.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n row(s) are unreadable, because an expression of the profile fails on them; they count as unknown.</source>
        <translation>
            <numerusform>%n row is unreadable, because an expression of the profile fails on it; it counts as unknown.</numerusform>
            <numerusform>%n rows are unreadable, because an expression of the profile fails on them; they count as unknown.</numerusform>
        </translation>
    </message>
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
    <message numerus="yes">
        <source>Of %n row(s) looked at, all have one.</source>
        <translation>
            <numerusform>The one row looked at has one.</numerusform>
            <numerusform>Of %n rows looked at, all have one.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Of %n row(s) looked at, %1 have none.</source>
        <translation>
            <numerusform>Of %n row looked at, %1 have none.</numerusform>
            <numerusform>Of %n rows looked at, %1 have none.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n index(es), all valid.</source>
        <translation>
            <numerusform>%n index, which is valid.</numerusform>
            <numerusform>%n indexes, all valid.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n minute(s)</source>
        <translation>
            <numerusform>%n minute</numerusform>
            <numerusform>%n minutes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n hour(s)</source>
        <translation>
            <numerusform>%n hour</numerusform>
            <numerusform>%n hours</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n day(s)</source>
        <translation>
            <numerusform>%n day</numerusform>
            <numerusform>%n days</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Of %n succeeded key(s) looked at, %1 have no “%2”.</source>
        <translation>
            <numerusform>Of %n succeeded key looked at, %1 have no “%2”.</numerusform>
            <numerusform>Of %n succeeded keys looked at, %1 have no “%2”.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n key(s) have their “%1” but are not marked succeeded.</source>
        <translation>
            <numerusform>%n key has its “%1” but is not marked succeeded.</numerusform>
            <numerusform>%n keys have their “%1” but are not marked succeeded.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Of %n succeeded key(s) looked at, each has its “%1”.</source>
        <translation>
            <numerusform>Of %n succeeded key looked at, each has its “%1”.</numerusform>
            <numerusform>Of %n succeeded keys looked at, each has its “%1”.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n session(s) wait for a lock on the table.</source>
        <translation>
            <numerusform>%n session waits for a lock on the table.</numerusform>
            <numerusform>%n sessions wait for a lock on the table.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n key(s) are past their expiry but not finished. A purge leaves them; recover them first.</source>
        <translation>
            <numerusform>%n key is past its expiry but not finished. A purge leaves it; recover it first.</numerusform>
            <numerusform>%n keys are past their expiry but not finished. A purge leaves them; recover them first.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Recover %1 key(s)</source>
        <translation>
            <numerusform>Recover %1 key</numerusform>
            <numerusform>Recover %1 keys</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Requeue %1 key(s)</source>
        <translation>
            <numerusform>Requeue %1 key</numerusform>
            <numerusform>Requeue %1 keys</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Reclassify %1 key(s)</source>
        <translation>
            <numerusform>Reclassify %1 key</numerusform>
            <numerusform>Reclassify %1 keys</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Purge %1 row(s)</source>
        <translation>
            <numerusform>Purge %1 row</numerusform>
            <numerusform>Purge %1 rows</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n time(s)</source>
        <translation>
            <numerusform>%n time</numerusform>
            <numerusform>%n times</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n refused request(s) may be of any of several stored ones: their records do not tell the scope.</source>
        <translation>
            <numerusform>%n refused request may be of any of several stored ones: its record does not tell the scope.</numerusform>
            <numerusform>%n refused requests may be of any of several stored ones: their records do not tell the scope.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n refused request(s) have no stored request to be compared with.</source>
        <translation>
            <numerusform>%n refused request has no stored request to be compared with.</numerusform>
            <numerusform>%n refused requests have no stored request to be compared with.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n more pair(s) of requests were not compared.</source>
        <translation>
            <numerusform>%n more pair of requests was not compared.</numerusform>
            <numerusform>%n more pairs of requests were not compared.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Of %n refused request(s) only the beginning was recorded.</source>
        <translation>
            <numerusform>Of %n refused request only the beginning was recorded.</numerusform>
            <numerusform>Of %n refused requests only the beginning was recorded.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n more difference(s) are not listed here; the same case as JSON lists up to 200.</source>
        <translation>
            <numerusform>%n more difference is not listed here; the same case as JSON lists up to 200.</numerusform>
            <numerusform>%n more differences are not listed here; the same case as JSON lists up to 200.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n members</source>
        <translation>
            <numerusform>%n member</numerusform>
            <numerusform>%n members</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n items</source>
        <translation>
            <numerusform>%n item</numerusform>
            <numerusform>%n items</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n unchanged lines</source>
        <translation>
            <numerusform>%n unchanged line</numerusform>
            <numerusform>%n unchanged lines</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n lines differ.</source>
        <translation>
            <numerusform>%n line differs.</numerusform>
            <numerusform>%n lines differ.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>No recipe was found that makes this fingerprint; %n were tried.</source>
        <translation>
            <numerusform>No recipe was found that makes this fingerprint; %n was tried.</numerusform>
            <numerusform>No recipe was found that makes this fingerprint; %n were tried.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n of them were retries that met a stored key.</source>
        <translation>
            <numerusform>%n of them was a retry that met a stored key.</numerusform>
            <numerusform>%n of them were retries that met a stored key.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n key(s) that the log does not name were found in the tables.</source>
        <translation>
            <numerusform>%n key that the log does not name was found in the tables.</numerusform>
            <numerusform>%n keys that the log does not name were found in the tables.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n record(s) of other databases were left out.</source>
        <translation>
            <numerusform>%n record of another database was left out.</numerusform>
            <numerusform>%n records of other databases were left out.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n values changed</source>
        <translation>
            <numerusform>%n value changed</numerusform>
            <numerusform>%n values changed</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n added</source>
        <translation>
            <numerusform>%n added</numerusform>
            <numerusform>%n added</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n removed</source>
        <translation>
            <numerusform>%n removed</numerusform>
            <numerusform>%n removed</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n moved</source>
        <translation>
            <numerusform>%n moved</numerusform>
            <numerusform>%n moved</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n differences are ignored by rule.</source>
        <translation>
            <numerusform>%n difference is ignored by rule.</numerusform>
            <numerusform>%n differences are ignored by rule.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n of them succeeded, so it was probably done more than once.</source>
        <translation>
            <numerusform>%n of them succeeded, so it was probably done more than once.</numerusform>
            <numerusform>%n of them succeeded, so it was probably done more than once.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>This key alone has %n effect(s) of the type “%1”: what it asks for was probably done more than once.</source>
        <translation>
            <numerusform>This key alone has %n effect of the type “%1”: what it asks for was probably done more than once.</numerusform>
            <numerusform>This key alone has %n effects of the type “%1”: what it asks for was probably done more than once.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n key(s) led to the same result, %1.</source>
        <translation>
            <numerusform>%n key led to the same result, %1.</numerusform>
            <numerusform>%n keys led to the same result, %1.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n key(s) reached the same effect of the type “%1”, %2.</source>
        <translation>
            <numerusform>%n key reached the same effect of the type “%1”, %2.</numerusform>
            <numerusform>%n keys reached the same effect of the type “%1”, %2.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n key(s) are about the same business matter, %1.</source>
        <translation>
            <numerusform>%n key is about the same business matter, %1.</numerusform>
            <numerusform>%n keys are about the same business matter, %1.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n key(s) came with the same request: their fingerprints are equal.</source>
        <translation>
            <numerusform>%n key came with the same request: their fingerprints are equal.</numerusform>
            <numerusform>%n keys came with the same request: their fingerprints are equal.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n key(s) succeeded with a charge each, of one customer and amount within an hour: %1.</source>
        <translation>
            <numerusform>%n key succeeded with a charge each, of one customer and amount within an hour: %1.</numerusform>
            <numerusform>%n keys succeeded with a charge each, of one customer and amount within an hour: %1.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n key(s) came soon after each other with payloads that are the same but for %1.</source>
        <translation>
            <numerusform>%n key came soon after each other with payloads that are the same but for %1.</numerusform>
            <numerusform>%n keys came soon after each other with payloads that are the same but for %1.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n characters that are no known form of a hash</source>
        <translation>
            <numerusform>%n character that is no known form of a hash</numerusform>
            <numerusform>%n characters that are no known form of a hash</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n hex digits</source>
        <translation>
            <numerusform>%n hex digit</numerusform>
            <numerusform>%n hex digits</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n characters of base64</source>
        <translation>
            <numerusform>%n character of base64</numerusform>
            <numerusform>%n characters of base64</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n characters of base64url</source>
        <translation>
            <numerusform>%n character of base64url</numerusform>
            <numerusform>%n characters of base64url</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n raw bytes</source>
        <translation>
            <numerusform>%n raw byte</numerusform>
            <numerusform>%n raw bytes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The newest %n key(s) with a fingerprint were read.</source>
        <translation>
            <numerusform>The newest key with a fingerprint was read.</numerusform>
            <numerusform>The newest %n keys with a fingerprint were read.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n key(s) with a fingerprint were read, in no particular order.</source>
        <translation>
            <numerusform>%n key with a fingerprint was read, in no particular order.</numerusform>
            <numerusform>%n keys with a fingerprint were read, in no particular order.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n key(s) cannot be judged: no payload is stored.</source>
        <translation>
            <numerusform>%n key cannot be judged: no payload is stored.</numerusform>
            <numerusform>%n keys cannot be judged: no payload is stored.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n key(s) cannot be judged: the payload is too large to be read here.</source>
        <translation>
            <numerusform>%n key cannot be judged: the payload is too large to be read here.</numerusform>
            <numerusform>%n keys cannot be judged: the payload is too large to be read here.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n key(s) cannot be judged: a part that the recipe names is NULL.</source>
        <translation>
            <numerusform>%n key cannot be judged: a part that the recipe names is NULL.</numerusform>
            <numerusform>%n keys cannot be judged: a part that the recipe names is NULL.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n key(s) cannot be judged: the payload is stored as jsonb, which has lost the form that the recipe hashes.</source>
        <translation>
            <numerusform>%n key cannot be judged: the payload is stored as jsonb, which has lost the form that the recipe hashes.</numerusform>
            <numerusform>%n keys cannot be judged: the payload is stored as jsonb, which has lost the form that the recipe hashes.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>, and %n more differences</source>
        <translation>
            <numerusform>, and %n more difference</numerusform>
            <numerusform>, and %n more differences</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The key came again with another request, which was refused (%n times).</source>
        <translation>
            <numerusform>The key came again with another request, which was refused (once).</numerusform>
            <numerusform>The key came again with another request, which was refused (%n times).</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>As far as imported logs tell, it was replayed %n times.</source>
        <translation>
            <numerusform>As far as imported logs tell, it was replayed once.</numerusform>
            <numerusform>As far as imported logs tell, it was replayed %n times.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln row(s) written.</source>
        <translation>
            <numerusform>%Ln row written.</numerusform>
            <numerusform>%Ln rows written.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n problem(s)</source>
        <translation>
            <numerusform>%n problem</numerusform>
            <numerusform>%n problems</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n question(s) answered well.</source>
        <translation>
            <numerusform>%n question answered well.</numerusform>
            <numerusform>%n questions answered well.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n row(s) have the key “%1”.</source>
        <translation>
            <numerusform>%n row has the key “%1”.</numerusform>
            <numerusform>%n rows have the key “%1”.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n key(s) written.</source>
        <translation>
            <numerusform>%n key written.</numerusform>
            <numerusform>%n keys written.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n picture(s) written.</source>
        <translation>
            <numerusform>%n picture written.</numerusform>
            <numerusform>%n pictures written.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n table(s) could not be read, so what is in them is not known.</source>
        <translation>
            <numerusform>%n table could not be read, so what is in it is not known.</numerusform>
            <numerusform>%n tables could not be read, so what is in them is not known.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n question(s) could not be answered, because something could not be read.</source>
        <translation>
            <numerusform>%n question could not be answered, because something could not be read.</numerusform>
            <numerusform>%n questions could not be answered, because something could not be read.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n more are not named here.</source>
        <translation>
            <numerusform>%n more is not named here.</numerusform>
            <numerusform>%n more are not named here.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>In %n sampled minute(s) row security hid rows from the role that counts them; they count as gaps.</source>
        <translation>
            <numerusform>In %n sampled minute row security hid rows from the role that counts them; it counts as a gap.</numerusform>
            <numerusform>In %n sampled minutes row security hid rows from the role that counts them; they count as gaps.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>In %n sampled minute(s) some rows could not be read, so there may be more than is shown.</source>
        <translation>
            <numerusform>In %n sampled minute some rows could not be read, so there may be more than is shown.</numerusform>
            <numerusform>In %n sampled minutes some rows could not be read, so there may be more than is shown.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n row(s) of the table cannot be read, so it may be more than what was counted.</source>
        <translation>
            <numerusform>%n row of the table cannot be read, so it may be more than what was counted.</numerusform>
            <numerusform>%n rows of the table cannot be read, so it may be more than what was counted.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Of %n record(s) the log does not name the database; they were taken to be of this one.</source>
        <translation>
            <numerusform>Of %n record the log does not name the database; it was taken to be of this one.</numerusform>
            <numerusform>Of %n records the log does not name the database; they were taken to be of this one.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>For %n question(s) there was no row to look at.</source>
        <translation>
            <numerusform>For %n question there was no row to look at.</numerusform>
            <numerusform>For %n questions there was no row to look at.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Samples of %n day(s) only: too few to compare with.</source>
        <translation>
            <numerusform>Samples of %n day only: too few to compare with.</numerusform>
            <numerusform>Samples of %n days only: too few to compare with.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n more table(s) have too few samples.</source>
        <translation>
            <numerusform>%n more table has too few samples.</numerusform>
            <numerusform>%n more tables have too few samples.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n rule(s) cannot be judged.</source>
        <translation>
            <numerusform>%n rule cannot be judged.</numerusform>
            <numerusform>%n rules cannot be judged.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n standby(s).</source>
        <translation>
            <numerusform>%n standby.</numerusform>
            <numerusform>%n standbys.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n table(s) not looked at: %1</source>
        <translation>
            <numerusform>%n table not looked at: %1</numerusform>
            <numerusform>%n tables not looked at: %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>; %n effect(s) are there already.</source>
        <translation>
            <numerusform>; %n effect is there already.</numerusform>
            <numerusform>; %n effects are there already.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n effect(s) are there, and work is still in progress.</source>
        <translation>
            <numerusform>%n effect is there, and work is still in progress.</numerusform>
            <numerusform>%n effects are there, and work is still in progress.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n attempt(s)</source>
        <translation>
            <numerusform>%n attempt</numerusform>
            <numerusform>%n attempts</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n key(s)</source>
        <translation>
            <numerusform>%n key</numerusform>
            <numerusform>%n keys</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n scope(s) will be emptied.</source>
        <translation>
            <numerusform>%n scope will be emptied.</numerusform>
            <numerusform>%n scopes will be emptied.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n other scope(s)</source>
        <translation>
            <numerusform>%n other scope</numerusform>
            <numerusform>%n other scopes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The audit log was verified when this file was made: %Ln row(s), of which the newest has the hash</source>
        <translation>
            <numerusform>The audit log was verified when this file was made: %Ln row, of which the newest has the hash</numerusform>
            <numerusform>The audit log was verified when this file was made: %Ln rows, of which the newest has the hash</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The same key was refused in another scope or table (%n times). That was another request.</source>
        <translation>
            <numerusform>The same key was refused in another scope or table (once). That was another request.</numerusform>
            <numerusform>The same key was refused in another scope or table (%n times). That was another request.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n table(s) could not be compared: %1</source>
        <translation>
            <numerusform>%n table could not be compared: %1</numerusform>
            <numerusform>%n tables could not be compared: %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n row(s) could not be read, because an expression of the profile fails on them. No action touches them.</source>
        <translation>
            <numerusform>%n row could not be read, because an expression of the profile fails on it. No action touches it.</numerusform>
            <numerusform>%n rows could not be read, because an expression of the profile fails on them. No action touches them.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n key(s) cannot be judged: the fingerprint is not a hash.</source>
        <translation>
            <numerusform>%n key cannot be judged: the fingerprint is not a hash.</numerusform>
            <numerusform>%n keys cannot be judged: the fingerprint is not a hash.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n key(s) cannot be judged: the payload is not JSON.</source>
        <translation>
            <numerusform>%n key cannot be judged: the payload is not JSON.</numerusform>
            <numerusform>%n keys cannot be judged: the payload is not JSON.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n over the limit</source>
        <translation>
            <numerusform>%n over the limit</numerusform>
            <numerusform>%n over the limit</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n acknowledged</source>
        <translation>
            <numerusform>%n acknowledged</numerusform>
            <numerusform>%n acknowledged</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n table(s) could not be read.</source>
        <translation>
            <numerusform>%n table could not be read.</numerusform>
            <numerusform>%n tables could not be read.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 and %n more</source>
        <translation>
            <numerusform>%1 and %n more</numerusform>
            <numerusform>%1 and %n more</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n open.</source>
        <translation>
            <numerusform>%n open.</numerusform>
            <numerusform>%n open.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n question(s) could not be looked into.</source>
        <translation>
            <numerusform>%n question could not be looked into.</numerusform>
            <numerusform>%n questions could not be looked into.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n passed,</source>
        <translation>
            <numerusform>%n passed,</numerusform>
            <numerusform>%n passed,</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n failed,</source>
        <translation>
            <numerusform>%n failed,</numerusform>
            <numerusform>%n failed,</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n do(es) not apply.</source>
        <translation>
            <numerusform>%n does not apply.</numerusform>
            <numerusform>%n do not apply.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n effect(s).</source>
        <translation>
            <numerusform>%n effect.</numerusform>
            <numerusform>%n effects.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The server gave too few connections: %n.</source>
        <translation>
            <numerusform>The server gave too few connections: %n.</numerusform>
            <numerusform>The server gave too few connections: %n.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n session(s) at once.</source>
        <translation>
            <numerusform>%n session at once.</numerusform>
            <numerusform>%n sessions at once.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n row(s) with the key.</source>
        <translation>
            <numerusform>%n row with the key.</numerusform>
            <numerusform>%n rows with the key.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n command(s), each played three times.</source>
        <translation>
            <numerusform>%n command, each played three times.</numerusform>
            <numerusform>%n commands, each played three times.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>They are to be known for %n day(s) at least, and the purge rule takes them earlier.</source>
        <translation>
            <numerusform>They are to be known for %n day at least, and the purge rule takes them earlier.</numerusform>
            <numerusform>They are to be known for %n days at least, and the purge rule takes them earlier.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>They are known for %n day(s) at most, and one window of the policy is longer.</source>
        <translation>
            <numerusform>They are known for %n day at most, and one window of the policy is longer.</numerusform>
            <numerusform>They are known for %n days at most, and one window of the policy is longer.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n row(s) with the key are still there,</source>
        <translation>
            <numerusform>%n row with the key is still there,</numerusform>
            <numerusform>%n rows with the key are still there,</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %n effect(s). Correct “cleanup”.</source>
        <translation>
            <numerusform>and %n effect. Correct “cleanup”.</numerusform>
            <numerusform>and %n effects. Correct “cleanup”.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n of them did not have just one effect.</source>
        <translation>
            <numerusform>%n of them did not have just one effect.</numerusform>
            <numerusform>%n of them did not have just one effect.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n settled,</source>
        <translation>
            <numerusform>%n settled,</numerusform>
            <numerusform>%n settled,</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n do(es) not apply,</source>
        <translation>
            <numerusform>%n does not apply,</numerusform>
            <numerusform>%n do not apply,</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n gap(s),</source>
        <translation>
            <numerusform>%n gap,</numerusform>
            <numerusform>%n gaps,</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n settled against what the console finds.</source>
        <translation>
            <numerusform>%n settled against what the console finds.</numerusform>
            <numerusform>%n settled against what the console finds.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>An earlier drill left %n row(s). Their keys begin with %1; take them away.</source>
        <translation>
            <numerusform>An earlier drill left %n row. Its key begins with %1; take it away.</numerusform>
            <numerusform>An earlier drill left %n rows. Their keys begin with %1; take them away.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Of %n it cannot be known.</source>
        <comment>keys</comment>
        <translation>
            <numerusform>Of %n it cannot be known.</numerusform>
            <numerusform>Of %n it cannot be known.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n row(s) more were left. “idemdeskctl actions show %1” lists each.</source>
        <translation>
            <numerusform>%n row more was left. “idemdeskctl actions show %1” lists each.</numerusform>
            <numerusform>%n rows more were left. “idemdeskctl actions show %1” lists each.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 row(s)</source>
        <translation>
            <numerusform>%1 row</numerusform>
            <numerusform>%1 rows</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1: %2 line(s). Records understood: %3, not: %4. %5 told of a key, %6 of them new.</source>
        <translation>
            <numerusform>%1: %2 line. Records understood: %3, not: %4. %5 told of a key, %6 of them new.</numerusform>
            <numerusform>%1: %2 lines. Records understood: %3, not: %4. %5 told of a key, %6 of them new.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Of %n record(s) the time is not known; they stand at the time of the import.</source>
        <translation>
            <numerusform>Of %n record the time is not known; it stands at the time of the import.</numerusform>
            <numerusform>Of %n records the time is not known; they stand at the time of the import.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n table(s)</source>
        <translation>
            <numerusform>%n table</numerusform>
            <numerusform>%n tables</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n error(s) carry no SQLSTATE, so that a refusal such as P4029 may be among them.</source>
        <translation>
            <numerusform>%n error carries no SQLSTATE, so that it may be a refusal such as P4029.</numerusform>
            <numerusform>%n errors carry no SQLSTATE, so that refusals such as P4029 may be among them.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n final failure(s) or more pass by themselves, such as deadlocks and lock timeouts.</source>
        <translation>
            <numerusform>%n final failure or more pass by themselves, such as deadlocks and lock timeouts.</numerusform>
            <numerusform>%n final failures or more pass by themselves, such as deadlocks and lock timeouts.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n final failure(s) pass by themselves, such as deadlocks and lock timeouts.</source>
        <translation>
            <numerusform>%n final failure passes by itself, as a deadlock or a lock timeout does.</numerusform>
            <numerusform>%n final failures pass by themselves, such as deadlocks and lock timeouts.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n row(s)</source>
        <translation>
            <numerusform>%n row</numerusform>
            <numerusform>%n rows</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n key(s) differ.</source>
        <translation>
            <numerusform>%n key differs.</numerusform>
            <numerusform>%n keys differ.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n more had been on their way.</source>
        <translation>
            <numerusform>%n more had been on its way.</numerusform>
            <numerusform>%n more had been on their way.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Undo %1 row(s)</source>
        <translation>
            <numerusform>Undo %1 row</numerusform>
            <numerusform>Undo %1 rows</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1: %2 row(s) restored</source>
        <comment>what, number</comment>
        <translation>
            <numerusform>%1: %2 row restored</numerusform>
            <numerusform>%1: %2 rows restored</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n earlier attempt(s) not recorded</source>
        <translation>
            <numerusform>%n earlier attempt not recorded</numerusform>
            <numerusform>%n earlier attempts not recorded</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Undo possible for %n day(s), until %1.</source>
        <translation>
            <numerusform>Undo possible for %n day, until %1.</numerusform>
            <numerusform>Undo possible for %n days, until %1.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Unknown for %1 of %n table(s).</source>
        <translation>
            <numerusform>Unknown for %1 of %n table.</numerusform>
            <numerusform>Unknown for %1 of %n tables.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln key(s) stuck</source>
        <translation>
            <numerusform>%Ln key stuck</numerusform>
            <numerusform>%Ln keys stuck</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 in %n table(s)</source>
        <translation>
            <numerusform>%1 in %n table</numerusform>
            <numerusform>%1 in %n tables</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 failed to apply %n change(s). See the server log in %2.</source>
        <translation>
            <numerusform>%1 failed to apply %n change. See the server log in %2.</numerusform>
            <numerusform>%1 failed to apply %n changes. See the server log in %2.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Replication runs on %n way(s), %1.</source>
        <translation>
            <numerusform>Replication runs on %n way, %1.</numerusform>
            <numerusform>Replication runs on %n ways, %1.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Align %1 key(s)</source>
        <translation>
            <numerusform>Align %1 key</numerusform>
            <numerusform>Align %1 keys</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n row(s) compared</source>
        <translation>
            <numerusform>one row compared</numerusform>
            <numerusform>%n rows compared</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n key(s) succeeded in both databases, with different results.</source>
        <translation>
            <numerusform>One key succeeded in both databases, with different results.</numerusform>
            <numerusform>%n keys succeeded in both databases, with different results.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n key(s) would be aligned.</source>
        <translation>
            <numerusform>One key would be aligned.</numerusform>
            <numerusform>%n keys would be aligned.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln name(s) in the cache cannot be read as a key.</source>
        <translation>
            <numerusform>%Ln name in the cache cannot be read as a key.</numerusform>
            <numerusform>%Ln names in the cache cannot be read as a key.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln more may disagree: so many were not looked at again.</source>
        <translation>
            <numerusform>%Ln more may disagree: it was not looked at again.</numerusform>
            <numerusform>%Ln more may disagree: so many were not looked at again.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln entry(ies) of this table</source>
        <translation>
            <numerusform>%Ln entry of this table</numerusform>
            <numerusform>%Ln entries of this table</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln row(s) in progress</source>
        <translation>
            <numerusform>%Ln row in progress</numerusform>
            <numerusform>%Ln rows in progress</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln row(s) by %1</source>
        <translation>
            <numerusform>%Ln row by %1</numerusform>
            <numerusform>%Ln rows by %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln more changed while it was looked at.</source>
        <translation>
            <numerusform>%Ln more changed while it was looked at.</numerusform>
            <numerusform>%Ln more changed while they were looked at.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln entry(ies) more were not looked at.</source>
        <translation>
            <numerusform>%Ln more entry was not looked at.</numerusform>
            <numerusform>%Ln more entries were not looked at.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln entry(ies) expire in the minute from %1. Their retries reach the database together.</source>
        <translation>
            <numerusform>%Ln entry expires in the minute from %1. Its retries reach the database together.</numerusform>
            <numerusform>%Ln entries expire in the minute from %1. Their retries reach the database together.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln entry(ies) expire within %1.</source>
        <translation>
            <numerusform>%Ln entry expires within %1.</numerusform>
            <numerusform>%Ln entries expire within %1.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln more minute(s) are crowded.</source>
        <translation>
            <numerusform>%Ln more minute is crowded.</numerusform>
            <numerusform>%Ln more minutes are crowded.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln entry(ies) expire from %1 to %2</source>
        <translation>
            <numerusform>%Ln entry expires from %1 to %2</numerusform>
            <numerusform>%Ln entries expire from %1 to %2</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln entry(ies) expire far later.</source>
        <translation>
            <numerusform>%Ln entry expires far later.</numerusform>
            <numerusform>%Ln entries expire far later.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln entry(ies) never expire.</source>
        <translation>
            <numerusform>%Ln entry never expires.</numerusform>
            <numerusform>%Ln entries never expire.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Baseline of the time to live: %1. %Ln entry(ies) could be judged by their row&apos;s times.</source>
        <translation>
            <numerusform>Baseline of the time to live: %1. %Ln entry could be judged by its row&apos;s times.</numerusform>
            <numerusform>Baseline of the time to live: %1. %Ln entries could be judged by their rows&apos; times.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln line(s) of the statement could not be read and are not compared.</source>
        <translation>
            <numerusform>%Ln line of the statement could not be read and is not compared.</numerusform>
            <numerusform>%Ln lines of the statement could not be read and are not compared.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln row(s) could not be compared, because an expression of the profile fails on them.</source>
        <translation>
            <numerusform>%Ln row could not be compared, because an expression of the profile fails on it.</numerusform>
            <numerusform>%Ln rows could not be compared, because an expression of the profile fails on them.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln row(s) of that time have no reference yet, so no statement can name them.</source>
        <translation>
            <numerusform>%Ln row of that time has no reference yet, so no statement can name it.</numerusform>
            <numerusform>%Ln rows of that time have no reference yet, so no statement can name them.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1: %Ln line(s). SHA-256 %2.</source>
        <translation>
            <numerusform>%1: %Ln line. SHA-256 %2.</numerusform>
            <numerusform>%1: %Ln lines. SHA-256 %2.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln line(s) repeat a booking that stands in another line.</source>
        <translation>
            <numerusform>%Ln line repeats a booking that stands in another line.</numerusform>
            <numerusform>%Ln lines repeat a booking that stands in another line.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln finding(s) were recorded before that.</source>
        <translation>
            <numerusform>%Ln finding was recorded before that.</numerusform>
            <numerusform>%Ln findings were recorded before that.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln finding(s) recorded as evidence.</source>
        <translation>
            <numerusform>%Ln finding recorded as evidence.</numerusform>
            <numerusform>%Ln findings recorded as evidence.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 holds the same with the same result (%n match(es)).</source>
        <translation>
            <numerusform>%1 holds the same with the same result.</numerusform>
            <numerusform>%1 holds the same with the same result (%n matches).</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 holds %n further match(es), which this verdict leaves out.</source>
        <translation>
            <numerusform>%1 holds %n further match, which this verdict leaves out.</numerusform>
            <numerusform>%1 holds %n further matches, which this verdict leaves out.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n table(s) compared with the same hour of the last %1 days.</source>
        <translation>
            <numerusform>%n table compared with the same hour of the last %1 days.</numerusform>
            <numerusform>%n tables compared with the same hour of the last %1 days.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1; unknown in %n table(s)</source>
        <comment>an answer</comment>
        <translation>
            <numerusform>%1; unknown in %n table</numerusform>
            <numerusform>%1; unknown in %n tables</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n of %1 ways need you.</source>
        <translation>
            <numerusform>%n of %1 ways needs you.</numerusform>
            <numerusform>%n of %1 ways need you.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Whether %Ln entry(ies) have a row is not known: one of the same key has NULL in its scope.</source>
        <translation>
            <numerusform>Whether %Ln entry has a row is not known: one of the same key has NULL in its scope.</numerusform>
            <numerusform>Whether %Ln entries have a row is not known: one of the same key has NULL in its scope.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Of %Ln row(s) the entry is not known, as their key or a part of their scope is NULL.</source>
        <translation>
            <numerusform>Of %Ln row the entry is not known, as its key or a part of its scope is NULL.</numerusform>
            <numerusform>Of %Ln rows the entry is not known, as their key or a part of their scope is NULL.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Since it was planned %Ln key(s) fell out of the plan.</source>
        <translation>
            <numerusform>Since it was planned %Ln key fell out of the plan.</numerusform>
            <numerusform>Since it was planned %Ln keys fell out of the plan.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n key(s) succeeded on both sides with different results: reverse one of the two effects.</source>
        <translation>
            <numerusform>%n key succeeded on both sides with different results: reverse one of the two effects.</numerusform>
            <numerusform>%n keys succeeded on both sides with different results: reverse one effect of each.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln changed meanwhile</source>
        <translation>
            <numerusform>%Ln changed meanwhile</numerusform>
            <numerusform>%Ln changed meanwhile</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln amount(s) or currency(ies) not compared: one side has none.</source>
        <translation>
            <numerusform>%Ln amount or currency not compared: one side has none.</numerusform>
            <numerusform>%Ln amounts or currencies not compared: one side has none.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln line(s) ignored: state %1 is neither success nor failure.</source>
        <translation>
            <numerusform>%Ln line ignored: state %1 is neither success nor failure.</numerusform>
            <numerusform>%Ln lines ignored: state %1 is neither success nor failure.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln line(s) ignored: states %1 are neither success nor failure.</source>
        <translation>
            <numerusform>%Ln line ignored: states %1 are neither success nor failure.</numerusform>
            <numerusform>%Ln lines ignored: states %1 are neither success nor failure.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln more statement(s) of it were recorded.</source>
        <translation>
            <numerusform>%Ln more statement of it was recorded.</numerusform>
            <numerusform>%Ln more statements of it were recorded.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln number(s) of bookings stand with more than one reference, so a double charge may be missed.</source>
        <translation>
            <numerusform>%Ln number of a booking stands with more than one reference, so a double charge may be missed.</numerusform>
            <numerusform>%Ln numbers of bookings stand with more than one reference, so a double charge may be missed.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln key(s) of that time stand only in lines that are left aside, so nothing is said of them.</source>
        <translation>
            <numerusform>%Ln key of that time stands only in lines that are left aside, so nothing is said of it.</numerusform>
            <numerusform>%Ln keys of that time stand only in lines that are left aside, so nothing is said of them.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln key(s) of that time have a reference that a line has, but for capitals, blanks or signs. Nothing is said of them.</source>
        <translation>
            <numerusform>%Ln key of that time has a reference that a line has, but for capitals, blanks or signs. Nothing is said of it.</numerusform>
            <numerusform>%Ln keys of that time have a reference that a line has, but for capitals, blanks or signs. Nothing is said of them.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln key(s) succeeded and happened there. A later line takes that back, or may.</source>
        <translation>
            <numerusform>%Ln key succeeded and happened there. A later line takes that back, or may.</numerusform>
            <numerusform>%Ln keys succeeded and happened there. A later line takes that back, or may.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln key(s)</source>
        <translation>
            <numerusform>%Ln key</numerusform>
            <numerusform>%Ln keys</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Can be undone for %n day(s), until %1</source>
        <translation>
            <numerusform>Can be undone for %n day, until %1</numerusform>
            <numerusform>Can be undone for %n days, until %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>PostgreSQL counts errors from version 15; %1 run(s) %2.</source>
        <comment>members, their version</comment>
        <translation>
            <numerusform>PostgreSQL counts errors from version 15; %1 runs %2.</numerusform>
            <numerusform>PostgreSQL counts errors from version 15; %1 run %2.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>PostgreSQL counts conflicts from version 18; %1 run(s) %2.</source>
        <comment>members, their version</comment>
        <translation>
            <numerusform>PostgreSQL counts conflicts from version 18; %1 runs %2.</numerusform>
            <numerusform>PostgreSQL counts conflicts from version 18; %1 run %2.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>TrailView</name>
    <message numerus="yes">
        <source>%1–%2 · %Ln more batch(es) · Show</source>
        <translation>
            <numerusform>%1–%2 · %Ln more batch · Show</numerusform>
            <numerusform>%1–%2 · %Ln more batches · Show</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>TriageGroups</name>
    <message numerus="yes">
        <source>%n key(s), decided one at a time</source>
        <translation>
            <numerusform>%n key, decided by itself</numerusform>
            <numerusform>%n keys, decided one at a time</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>, %n more decided one at a time</source>
        <translation>
            <numerusform>, %n more decided one at a time</numerusform>
            <numerusform>, %n more decided one at a time</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>TriageModel</name>
    <message numerus="yes">
        <source>%n attempt(s)</source>
        <translation>
            <numerusform>%n attempt</numerusform>
            <numerusform>%n attempts</numerusform>
        </translation>
    </message>
</context>
</TS>
