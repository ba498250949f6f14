// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/alerts/alert_rules.h"
#include "models/filter/filter_fields.h"
#include "models/help/help_pages.h"
#include "models/help/help_search.h"
#include "models/help/profile_reference.h"
#include "sql/trends/trend_gateway.h"
#include "tests/support/long_sentences.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QSet>
#include <QTest>

using namespace idemdesk;
using namespace Qt::StringLiterals;

namespace {

QString sourceFile(const QString &path)
{
    QFile file(QStringLiteral(IDEMDESK_SOURCE_DIR) + u'/' + path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

/// Text as a person reads it, in pieces that end: paragraphs, items, headings and cells. What is typed as it stands is
/// left out.
QStringList pieces(const QString &markdown)
{
    QStringList pieces { QString() };
    bool fenced = false;
    const QStringList lines = markdown.split(u'\n');
    for (const QString &line : lines) {
        if (line.startsWith(u"```"_s)) {
            fenced = !fenced;
            pieces += QString();
        } else if (fenced || line.startsWith(u"    "_s) || line.startsWith(u"<!--"_s)) {
            pieces += QString();
        } else if (line.startsWith(u'|')) {
            pieces += line.split(u'|');
        } else if (line.isEmpty() || line.startsWith(u'#')) {
            pieces += { line, QString() };
        } else if (line.startsWith(u"- "_s) || line.contains(QRegularExpression(u"^\\d+\\. "_s))) {
            pieces += line;
        } else {
            pieces.last() += u' ' + line.trimmed();
        }
    }
    return pieces;
}

QStringList longSentencesIn(const QString &markdown)
{
    static const QRegularExpression code(u"`[^`]*`"_s);
    QStringList found;
    const QStringList all = pieces(markdown);
    for (QString piece : all) {
        found += tests::longSentences(piece.replace(code, u"X"_s));
    }
    return found;
}

/// The keys that the tables under each heading name.
QMap<QString, QStringList> tableKeys(const QString &markdown)
{
    static const QRegularExpression row(u"^\\| `([^`]+)`(?: \\([a-z]+\\))? \\|"_s);
    QMap<QString, QStringList> keys;
    QString heading;
    const QStringList lines = markdown.split(u'\n');
    for (const QString &line : lines) {
        if (line.startsWith(u'#')) {
            heading = line.section(u' ', 1);
        } else if (const auto match = row.match(line); match.hasMatch()) {
            keys[heading] += match.captured(1);
        }
    }
    return keys;
}

/// The keys of every object of a schema that names its keys.
void objectsOf(const QJsonValue &value, QList<QStringList> *objects)
{
    const QJsonObject object = value.toObject();
    if (object.value(u"properties"_s).isObject() && object.value(u"patternProperties"_s).isObject()) {
        objects->append(object.value(u"properties"_s).toObject().keys());
    }
    for (const QJsonValue &one : object) {
        objectsOf(one, objects);
    }
    const QJsonArray array = value.toArray();
    for (const QJsonValue &one : array) {
        objectsOf(one, objects);
    }
}

} // namespace

/// The help is whole, says what is so, and can be read by somebody tired.
class HelpTest final : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(u".?"_s)); }
    void everyPageIsListedAndReads();
    void linksLeadSomewhere();
    void noSentenceIsLong();
    void theFilterPageNamesEveryField();
    void theProfileReferenceIsTheSchema();
    void rulesAndMetricsAreTheProgramsOwn();
    void searchFindsPlaces();
    void fieldsAndDialogsAreFound();
};

void HelpTest::everyPageIsListedAndReads()
{
    QStringList ids;
    for (const models::HelpTopic &topic : models::helpTopics()) {
        ids += topic.id;
        QVERIFY2(
            !topic.title.isEmpty() && !topic.summary.isEmpty() && topic.markdown.size() > 300, qPrintable(topic.id));
        QVERIFY2(!topic.markdown.contains(u"<!-- made"_s), qPrintable(topic.id));
        QVERIFY2(!topic.summary.endsWith(u'.'), qPrintable(topic.summary));
    }
    QStringList files
        = QDir(QStringLiteral(IDEMDESK_SOURCE_DIR "/resources/help")).entryList({ u"*.md"_s }, QDir::Files);
    for (const QString &other : { u"index.md"_s, u"fields.md"_s, u"idemdesk.1.md"_s }) {
        QVERIFY2(files.removeOne(other), qPrintable(other));
    }
    files.replaceInStrings(u".md"_s, QString());
    QCOMPARE(QSet<QString>(ids.cbegin(), ids.cend()), QSet<QString>(files.cbegin(), files.cend()));
    QCOMPARE(ids.size(), files.size());
    QVERIFY(models::helpTopic(u"no such page"_s) == nullptr);
}

void HelpTest::linksLeadSomewhere()
{
    static const QRegularExpression link(u"\\]\\(([^)]*)\\)"_s);
    int links = 0;
    for (const models::HelpTopic &topic : models::helpTopics()) {
        for (auto found = link.globalMatch(topic.markdown); found.hasNext(); ++links) {
            const QString to = found.next().captured(1);
            QVERIFY2(to.endsWith(u".md"_s) && models::helpTopic(to.chopped(3)) != nullptr,
                qPrintable(topic.id + u" -> "_s + to));
        }
    }
    QVERIFY(links > 12);
}

void HelpTest::noSentenceIsLong()
{
    QCOMPARE(longSentencesIn(u"One two. "_s + u"word "_s.repeated(21)).size(), 1); // it counts
    QStringList found;
    for (const models::HelpTopic &topic : models::helpTopics()) {
        const QStringList here = longSentencesIn(topic.markdown);
        for (const QString &sentence : here) {
            found += topic.id + u": "_s + sentence;
        }
    }
    for (const QString &file : { u"README.md"_s, u"resources/help/fields.md"_s, u"resources/help/idemdesk.1.md"_s }) {
        const QString text = sourceFile(file);
        QVERIFY2(!text.isEmpty(), qPrintable(file));
        const QStringList here = longSentencesIn(text);
        for (const QString &sentence : here) {
            found += file + u": "_s + sentence;
        }
    }
    QVERIFY2(found.isEmpty(), qPrintable(found.join(u'\n')));
}

void HelpTest::theFilterPageNamesEveryField()
{
    QStringList named;
    static const QRegularExpression row(u"^\\| (`[a-z]+`(?:, `[a-z]+`)*) \\| .* \\| `[^`]+` \\|$"_s);
    const QStringList lines = models::helpTopic(u"filter"_s)->markdown.split(u'\n');
    for (const QString &line : lines) {
        if (const auto match = row.match(line); match.hasMatch()) {
            named += QString(match.captured(1)).remove(u'`').split(u", "_s);
        }
    }
    QStringList there;
    for (const models::FilterFieldSpec &field : models::filterFields()) {
        there += field.name;
        if (!field.alias.isEmpty()) {
            there += field.alias;
        }
    }
    named.sort();
    there.sort();
    QCOMPARE(named, there);
}

void HelpTest::theProfileReferenceIsTheSchema()
{
    QFile file(u":/idemdesk/profiles/profile.schema.json"_s);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QList<QStringList> objects;
    objectsOf(QJsonDocument::fromJson(file.readAll()).object(), &objects);
    QVERIFY(objects.size() > 12);
    QList<QStringList> described;
    const QMap<QString, QStringList> keys = tableKeys(models::profileReference());
    for (QStringList section : keys) {
        section.sort();
        described += section;
    }
    for (const QStringList &object : objects) {
        QVERIFY2(described.removeOne(object), qPrintable(u"not described: "_s + object.join(u", "_s)));
    }
    QVERIFY2(described.isEmpty(), qPrintable(u"no longer in the schema: "_s + described.value(0).join(u", "_s)));
    // Each key says what it means; and one that must be there says so.
    static const QRegularExpression empty(u"^\\| `.*\\|\\s*\\|$"_s, QRegularExpression::MultilineOption);
    const auto without = empty.match(models::profileReference());
    QVERIFY2(!without.hasMatch(), qPrintable(without.captured()));
    QVERIFY(models::profileReference().contains(u"| `relation` (required) |"_s));
    QVERIFY(models::helpTopic(u"profile"_s)->markdown.contains(models::profileReference().trimmed()));
}

void HelpTest::rulesAndMetricsAreTheProgramsOwn()
{
    const QString page = models::helpTopic(u"alerts"_s)->markdown;
    for (const sql::AlertRule &rule : models::defaultAlertRules()) {
        QVERIFY2(page.contains(u"| `%1` | %2 |"_s.arg(rule.id, rule.title)), qPrintable(rule.id));
    }
    const QList<sql::TrendMetric> metrics = sql::trendMetrics(sql::Target());
    for (const sql::TrendMetric &metric : metrics) {
        QVERIFY2(page.contains(u"| `%1` | %2 |"_s.arg(metric.id, metric.help)), qPrintable(metric.id));
    }
    QVERIFY(page.contains(u"over 2 s, for 1 min"_s)); // lock_wait, in its unit
}

void HelpTest::searchFindsPlaces()
{
    const QList<models::HelpHit> hits = models::searchHelp(u"  record_EVENT "_s);
    QVERIFY(!hits.isEmpty());
    QCOMPARE(hits.constFirst().topic, u"services"_s); // a heading comes before texts
    QCOMPARE(hits.constFirst().heading, u"record_event"_s);
    // What begins with the word stands before what only holds it: a lease is not a release.
    const QList<models::HelpHit> lease = models::searchHelp(u"lease"_s);
    QVERIFY(lease.size() > 1);
    for (const models::HelpHit &hit : { lease.at(0), lease.at(1) }) {
        QVERIFY2(!hit.heading.contains(u"release"_s, Qt::CaseInsensitive), qPrintable(hit.heading));
    }
    const QList<models::HelpHit> both = models::searchHelp(u"anchor logger"_s);
    QCOMPARE(both.size(), 1);
    QCOMPARE(both.constFirst().heading, u"The audit log"_s);
    QVERIFY(both.constFirst().excerpt.contains(u"logger"_s));
    // What the page's tables hold is found, also where the program made them; and signs of Markdown are not shown.
    const QList<models::HelpHit> made = models::searchHelp(u"needs_effect"_s);
    QVERIFY(!made.isEmpty());
    QVERIFY2(!made.constFirst().excerpt.contains(u'`'), qPrintable(made.constFirst().excerpt));
    QVERIFY(models::searchHelp(u" "_s).isEmpty());
    QVERIFY(models::searchHelp(u"xyzzy"_s).isEmpty());
}

void HelpTest::fieldsAndDialogsAreFound()
{
    QVERIFY(models::fieldHelp(u"complaintAmount"_s).contains(u"10.50"_s));
    QVERIFY(!models::fieldHelp(u"purgeState_failed_final"_s).isEmpty());
    QCOMPARE(models::fieldHelp(u"actionReason"_s), models::fieldHelp(u"signalReason"_s));
    QVERIFY(!models::fieldHelp(u"actionReason"_s).isEmpty());
    QVERIFY(models::fieldHelp(u"no such field"_s).isEmpty());
    QVERIFY(models::fieldHelp({}).isEmpty());
    QCOMPARE(models::dialogTopic(u"auditAsk"_s), u"audit"_s);
    QCOMPARE(models::dialogTopic(u"no such dialog"_s), u"start"_s);
}

QTEST_GUILESS_MAIN(HelpTest)
#include "tst_help.moc"
