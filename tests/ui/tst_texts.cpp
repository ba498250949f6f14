// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/long_sentences.h"

#include <QDirIterator>
#include <QFile>
#include <QProcess>
#include <QRegularExpression>
#include <QTest>
#include <QXmlStreamReader>
#include <algorithm>
#include <set>

using namespace Qt::StringLiterals;

namespace {

/// One text that people read.
struct Text {
    QString context;
    QString place; ///< file and line
    QString source;
};

/// What can show up in the window: errors come from sql, and the demo's steps from app. Not the terminal program's.
const QStringList kFolders { u"sql"_s, u"models"_s, u"ui"_s, u"app/desktop"_s, u"app/demo"_s, u"app/cluster"_s };

/// As Qt's own translation tool finds them.
QList<Text> textsIn(const QString &catalogue)
{
    QFile file(catalogue);
    if (!file.open(QIODevice::ReadOnly)) {
        return {};
    }
    QList<Text> texts;
    Text text;
    QXmlStreamReader xml(&file);
    while (!xml.atEnd()) {
        xml.readNext();
        if (!xml.isStartElement()) {
            continue;
        }
        if (xml.name() == u"name") {
            text.context = xml.readElementText();
        } else if (xml.name() == u"message") {
            text.place.clear();
        } else if (xml.name() == u"location" && text.place.isEmpty()) {
            static const QRegularExpression above(u"^(\\.\\./)+"_s);
            text.place = xml.attributes().value(u"filename"_s).toString().remove(above) + u':'
                + xml.attributes().value(u"line"_s).toString();
        } else if (xml.name() == u"source") {
            text.source = xml.readElementText();
            texts += text;
        }
    }
    return texts;
}

/// Of the texts with a number: context and source, as they are translated in the catalogue.
std::set<std::pair<QString, QString>> pluralsIn(const QString &catalogue)
{
    QFile file(catalogue);
    if (!file.open(QIODevice::ReadOnly)) {
        return {};
    }
    std::set<std::pair<QString, QString>> found;
    QXmlStreamReader xml(&file);
    std::pair<QString, QString> text;
    while (!xml.atEnd()) {
        xml.readNext();
        if (!xml.isStartElement()) {
            continue;
        }
        if (xml.name() == u"name") {
            text.first = xml.readElementText();
        } else if (xml.name() == u"source") {
            text.second = xml.readElementText();
        } else if (xml.name() == u"translation" && !xml.attributes().hasAttribute(u"type"_s)) {
            found.insert(text);
        }
    }
    return found;
}

QString oneLine(QString text)
{
    return text.replace(u'\n', u"\\n"_s).replace(u'\t', u' ');
}

QString withoutQuotes(QString text)
{
    static const QRegularExpression quoted(u"“[^”]*”|\\b[a-z_]+:[a-z_]+"_s); // what is typed just so: state:stale
    return text.remove(quoted);
}

} // namespace

/// Every text of the window: listed with its length, and short and plain as the house has it.
class TextsTest final : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void theListIsWhole();
    void everyNumberHasItsForms();
    void noSentenceIsLong();
    void noWordOfTheTradeIsShown_data();
    void noWordOfTheTradeIsShown();

private:
    QStringList breaches(const std::function<QStringList(const QString &)> &of) const;

    QList<Text> m_texts;
};

/// Writes strings.txt beside the test: the longest first, with its context and its place.
void TextsTest::initTestCase()
{
    const QString catalogue = QStringLiteral(STRINGS) + u".ts"_s;
    QFile::remove(catalogue); // it would be added to
    QProcess lupdate;
    lupdate.setWorkingDirectory(QStringLiteral(IDEMDESK_SOURCE_DIR));
    lupdate.start(QStringLiteral(LUPDATE),
        QStringList { u"-no-obsolete"_s, u"-locations"_s, u"absolute"_s, u"-recursive"_s } + kFolders
            + QStringList { u"-ts"_s, catalogue });
    QVERIFY(lupdate.waitForFinished(60'000));
    QVERIFY2(lupdate.exitCode() == 0, lupdate.readAllStandardError().constData());
    m_texts = textsIn(catalogue);
    std::stable_sort(
        m_texts.begin(), m_texts.end(), [](const Text &a, const Text &b) { return a.source.size() > b.source.size(); });
    QFile list(QStringLiteral(STRINGS));
    QVERIFY(list.open(QIODevice::WriteOnly));
    for (const Text &text : std::as_const(m_texts)) {
        list.write((text.context + u'\t' + QString::number(text.source.size()) + u'\t' + oneLine(text.source) + u'\t'
            + text.place + u'\n')
                       .toUtf8());
    }
}

/// The tool leaves out what it does not understand, and says nothing. Each call that names a text has it here.
void TextsTest::theListIsWhole()
{
    static const QRegularExpression call(u"\\btr\\(\\s*\"((?:[^\"\\\\]|\\\\.)+)\""_s);
    static const QRegularExpression comment(u"^ *//.*$"_s, QRegularExpression::MultilineOption);
    std::set<QString> known;
    for (const Text &text : std::as_const(m_texts)) {
        known.insert(text.source);
    }
    int calls = 0;
    QStringList missing;
    for (const QString &folder : kFolders) {
        QDirIterator files(QStringLiteral(IDEMDESK_SOURCE_DIR "/") + folder, { u"*.cpp"_s, u"*.h"_s }, QDir::Files,
            QDirIterator::Subdirectories);
        while (files.hasNext()) {
            QFile file(files.next());
            QVERIFY(file.open(QIODevice::ReadOnly));
            const QString code = QString::fromUtf8(file.readAll()).remove(comment);
            for (auto found = call.globalMatch(code); found.hasNext(); ++calls) {
                QString begin = found.next().captured(1);
                begin.replace(u"\\n"_s, u"\n"_s).replace(u"\\\""_s, u"\""_s).replace(u"\\\\"_s, u"\\"_s);
                const auto at = known.lower_bound(begin);
                if (at == known.cend() || !at->startsWith(begin)) {
                    missing += file.fileName() + u": "_s + begin;
                }
            }
        }
    }
    QVERIFY(calls > 2'500);
    QVERIFY2(missing.isEmpty(), qPrintable(missing.join(u'\n')));
}

QStringList TextsTest::breaches(const std::function<QStringList(const QString &)> &of) const
{
    QStringList found;
    for (const Text &text : m_texts) {
        const QStringList here = of(text.source);
        for (const QString &breach : here) {
            found += text.place + u": "_s + breach;
        }
    }
    return found;
}

/// English has two. A text without them is shown as it stands in the code: "3 key(s)".
void TextsTest::everyNumberHasItsForms()
{
    const auto translated
        = pluralsIn(QStringLiteral(IDEMDESK_SOURCE_DIR) + u"/resources/translations/idemdesk_en.ts"_s);
    QVERIFY(translated.size() > 100);
    QStringList missing;
    for (const Text &text : std::as_const(m_texts)) {
        if (text.source.contains(u"%n"_s) && !translated.contains({ text.context, text.source })) {
            missing += text.place + u": "_s + text.source;
        }
    }
    QVERIFY2(missing.isEmpty(), qPrintable(missing.join(u'\n') + u"\nBuild the target update_translations."_s));
}

void TextsTest::noSentenceIsLong()
{
    QCOMPARE(idemdesk::tests::longSentences(u"One two. "_s + u"word "_s.repeated(21)).size(), 1); // it counts
    const QStringList found = breaches(idemdesk::tests::longSentences);
    QVERIFY2(found.isEmpty(), qPrintable(found.join(u'\n')));
}

void TextsTest::noWordOfTheTradeIsShown_data()
{
    QTest::addColumn<QString>("word");
    QTest::addColumn<QString>("better");
    QTest::newRow("stale") << u"stale"_s << u"stuck"_s;
    QTest::newRow("trail") << u"trails?"_s << u"audit log"_s;
    QTest::newRow("intent") << u"intents?"_s << u"request"_s;
}

/// Words of the code and of the profile's format that a person is not to learn. Quoted they name a key of a profile.
void TextsTest::noWordOfTheTradeIsShown()
{
    QFETCH(QString, word);
    QFETCH(QString, better);
    const QRegularExpression shown(u"\\b(?:%1)\\b"_s.arg(word), QRegularExpression::CaseInsensitiveOption);
    const QStringList found = breaches([&](const QString &text) {
        return withoutQuotes(text).contains(shown) ? QStringList { u"say “%1”: %2"_s.arg(better, text) }
                                                   : QStringList();
    });
    QVERIFY2(found.isEmpty(), qPrintable(found.join(u'\n')));
}

QTEST_GUILESS_MAIN(TextsTest)
#include "tst_texts.moc"
