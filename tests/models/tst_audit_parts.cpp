// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/audit/anchor_store.h"
#include "models/audit/audit_export.h"
#include "models/audit/audit_model.h"
#include "sql/console/console_schema.h"

#include <QAbstractItemModelTester>
#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QSet>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace idemdesk;
using namespace idemdesk::models;

namespace {

sql::AuditRow row(qint64 seq, const QString &what = u"open"_s, const QByteArray &facts = "{}")
{
    sql::AuditRow made;
    made.seq = seq;
    made.what = what;
    made.who = u"op"_s;
    made.role = u"none"_s;
    made.factsJson = facts;
    made.hash = QString::number(seq, 16).rightJustified(64, u'0');
    return made;
}

QList<sql::AuditRow> rows(qint64 from, qint64 to)
{
    QList<sql::AuditRow> made;
    for (qint64 seq = from; seq >= to; --seq) {
        made.append(row(seq));
    }
    return made;
}

} // namespace

/// What the console makes of the trail's rows, and what it keeps of its head on this computer; no server is needed.
class AuditPartsTest final : public QObject
{
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;

    QString anchors() const { return m_folder->filePath(u"data/anchors.json"_s); }

private slots:
    void initTestCase() { QTest::failOnWarning(QRegularExpression(u".*"_s)); }
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void everyKindOfRowHasAName();
    void modelKeepsItsPlace();
    void modelShowsHostileTextsAsTheyAre();
    void csvNeutralisesFormulas_data();
    void csvNeutralisesFormulas();
    void jsonKeepsNumbersAsPrinted();
    void storeKeepsWhatOthersNoted();
    void storeLeavesAnUnreadableFileAlone();
    void storeSaysThatItCannotWrite();
};

/// Whatever the schema writes into the trail is told in words, not by its own name for it.
void AuditPartsTest::everyKindOfRowHasAName()
{
    const QString script = sql::consoleScript(0);
    static const QRegularExpression call(u"idemdesk\\._chain\\((CASE [^,]*|'[a-z_]+')"_s);
    static const QRegularExpression word(u"(?:^|THEN |ELSE )'([a-z_]+)'"_s);
    QSet<QString> kinds;
    for (auto calls = call.globalMatch(script); calls.hasNext();) {
        for (auto words = word.globalMatch(calls.next().captured(1)); words.hasNext();) {
            kinds.insert(words.next().captured(1));
        }
    }
    QVERIFY(kinds.size() > 15 && kinds.contains(u"ask_again"_s) && kinds.contains(u"runner"_s));
    for (const QString &kind : std::as_const(kinds)) {
        QVERIFY2(auditWhatLabel(kind) != kind, qPrintable(kind));
    }
}

void AuditPartsTest::modelKeepsItsPlace()
{
    AuditModel model;
    QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
    QSignalSpy wanted(&model, &AuditModel::moreWanted);
    model.replace(rows(10, 6), true);
    QCOMPARE(resets.size(), 1);
    QVERIFY(model.canFetchMore({}));
    model.fetchMore({});
    model.fetchMore({}); // asked once
    QCOMPARE(wanted.size(), 1);
    QAbstractItemModelTester tester(
        &model, QAbstractItemModelTester::FailureReportingMode::Warning); // asks for more by itself
    model.append(rows(5, 1), false);
    QCOMPARE(model.rowCount(), 10);
    QVERIFY(!model.canFetchMore({}));
    const QPersistentModelIndex kept(model.index(3, AuditModel::Seq));
    model.replace(rows(12, 8), true); // two came on top
    QCOMPARE(resets.size(), 1);
    QCOMPARE(model.rowCount(), 12);
    QCOMPARE(kept.row(), 5);
    QVERIFY(!model.canFetchMore({}));
    model.replace(rows(3, 1), false); // and now most of it is gone
    QCOMPARE(resets.size(), 2);
    QCOMPARE(model.rowCount(), 3);
    QList<sql::AuditRow> changed = rows(3, 1);
    changed[1].hash = u"ff"_s;
    model.replace(changed, false);
    QCOMPARE(resets.size(), 3);
    QCOMPARE(model.rows().at(1).hash, u"ff"_s);
    model.clear();
    QCOMPARE(model.rowCount(), 0);
}

void AuditPartsTest::modelShowsHostileTextsAsTheyAre()
{
    AuditModel model;
    sql::AuditRow hostile = row(7, u"no such word"_s,
        R"({"verb":"recover","rows":3,"reason":"<img src=\"/etc/passwd\">\u202egnp","counts":{"done":2}})");
    hostile.who = u"op\u0007\n"_s;
    model.append({ hostile, row(6, u"batch"_s, "[not an object") }, false);
    const auto text = [&model](int line, int column) { return model.index(line, column).data().toString(); };
    QCOMPARE(text(0, AuditModel::Who), u"op\\u0007\\n"_s);
    QCOMPARE(text(0, AuditModel::What), u"no such word"_s);
    QVERIFY(text(0, AuditModel::Facts).contains(u"<img src=\"/etc/passwd\">\\u202Egnp"_s));
    QVERIFY(!text(0, AuditModel::Facts).contains(QChar(0x202e)));
    QCOMPARE(text(1, AuditModel::Facts), QString());
    QVERIFY(text(1, AuditModel::What) != u"batch"_s);
    const QStringList words = auditWhats();
    QVERIFY(words.contains(u"drop"_s));
    for (const QString &word : words) {
        QVERIFY2(auditWhatLabel(word) != word, qPrintable(word));
    }
}

void AuditPartsTest::csvNeutralisesFormulas_data()
{
    QTest::addColumn<QString>("who");
    QTest::addColumn<QByteArray>("cell");
    QTest::newRow("plain name") << u"op"_s << QByteArray("op");
    QTest::newRow("equals") << u"=1+1"_s << QByteArray("'=1+1");
    QTest::newRow("at behind a blank") << u" @SUM(A1)"_s << QByteArray("' @SUM(A1)");
    QTest::newRow("plus behind a tab") << u"\t+1"_s << QByteArray("'\t+1");
    QTest::newRow("command, with a comma and quotes")
        << u"=cmd|'/C \"x\"',A0"_s << QByteArray("\"'=cmd|'/C \"\"x\"\"',A0\"");
    QTest::newRow("minus") << u"-2"_s << QByteArray("'-2");
    QTest::newRow("line break") << u"a\r\n=b"_s << QByteArray("\"a\r\n=b\"");
    QTest::newRow("hyphen inside") << u"a-b"_s << QByteArray("a-b");
}

void AuditPartsTest::csvNeutralisesFormulas()
{
    QFETCH(QString, who);
    QFETCH(QByteArray, cell);
    sql::AuditRow one = row(1);
    one.who = who;
    const QByteArray text = auditText({ one }, AuditFormat::Csv);
    QVERIFY2(text.contains("\r\n1," + one.at.toRfc3339().toUtf8() + ',' + cell + ",none,"), text.constData());
}

void AuditPartsTest::jsonKeepsNumbersAsPrinted()
{
    const QByteArray facts = R"({"n": 12345678901234567890.001000, "n2": 1E+400})";
    sql::AuditRow broken = row(1, u"open"_s, "{\"a\": ");
    const QByteArray text = auditText({ row(2, u"open"_s, facts), broken }, AuditFormat::JsonLines);
    QVERIFY2(text.contains("\"facts\":" + facts + ",\"items_sha\":null"), text.constData());
    const QByteArrayList lines
        = auditText({ row(2), broken }, AuditFormat::JsonLines).split('\n'); // Qt knows no 1E+400
    QCOMPARE(lines.size(), 3);
    QVERIFY(QJsonDocument::fromJson(lines.at(0)).isObject());
    QCOMPARE(QJsonDocument::fromJson(lines.at(1))[u"facts"_s].toString(), u"{\"a\": "_s);
    QCOMPARE(auditText({}, AuditFormat::JsonLines), QByteArray());
}

void AuditPartsTest::storeKeepsWhatOthersNoted()
{
    AnchorStore one(anchors());
    AnchorStore two(anchors()); // another console, started before the first noted anything
    sql::AuditAnchor anchor { u"7000"_s, 5, u"a"_s, 3, u"aa"_s,
        sql::Timestamp::parse(u"2026-11-20 10:00:00.123456+00"_s).value() };
    QVERIFY(one.keep(anchor).ok());
    anchor.databaseOid = 6;
    anchor.hash = u"bb"_s;
    QVERIFY(two.keep(anchor).ok());
    const AnchorStore now(anchors());
    QVERIFY(now.anchorOf(u"7000"_s, 5).has_value());
    QCOMPARE(now.anchorOf(u"7000"_s, 5)->hash, u"aa"_s);
    QCOMPARE(now.anchorOf(u"7000"_s, 5)->at, anchor.at);
    QCOMPARE(now.anchorOf(u"7000"_s, 6)->hash, u"bb"_s);
    QVERIFY(!now.anchorOf(u"7001"_s, 5)); // another cluster
    QCOMPARE(QFileInfo(anchors()).permissions()
            & (QFile::ReadGroup | QFile::WriteGroup | QFile::ReadOther | QFile::WriteOther),
        QFile::Permissions());
}

void AuditPartsTest::storeLeavesAnUnreadableFileAlone()
{
    QVERIFY(AnchorStore(anchors()).keep({ u"7000"_s, 5, u"a"_s, 3, u"aa"_s, {} }).ok());
    QFile file(anchors());
    QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
    file.write("{\"anchors\": [");
    file.close();
    AnchorStore store(anchors());
    QVERIFY(!store.readable());
    const auto kept = store.keep({ u"7000"_s, 5, u"a"_s, 4, u"bb"_s, {} });
    QVERIFY(!kept.ok());
    QCOMPARE(kept.error().kind, sql::ErrorKind::File);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), QByteArray("{\"anchors\": ["));
}

void AuditPartsTest::storeSaysThatItCannotWrite()
{
    QFile blocker(m_folder->filePath(u"data"_s)); // a file where the folder would be
    QVERIFY(blocker.open(QIODevice::WriteOnly));
    const auto kept = AnchorStore(anchors()).keep({ u"7000"_s, 5, u"a"_s, 3, u"aa"_s, {} });
    QVERIFY(!kept.ok());
    QVERIFY(!kept.error().todo.isEmpty());
}

QTEST_GUILESS_MAIN(AuditPartsTest)
#include "tst_audit_parts.moc"
