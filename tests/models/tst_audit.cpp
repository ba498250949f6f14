// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/audit/audit_controller.h"
#include "sql/lanes/database.h"
#include "tests/support/registered_table.h"

#include <QAbstractItemModelTester>
#include <QCryptographicHash>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace idemdesk;
using namespace idemdesk::models;
using namespace idemdesk::tests;

namespace {

/// What an exported line says of `key`, as it stands in the file.
QByteArray token(const QByteArray &line, const QByteArray &key, const QByteArray &next)
{
    const qsizetype begin = line.indexOf("\"" + key + "\":") + key.size() + 3;
    return line.mid(begin, line.indexOf(",\"" + next + "\":", begin) - begin);
}

/// The hash of a row by the file alone, as DESIGN 4 defines it.
QByteArray hashByFile(const QByteArray &line)
{
    const QByteArray keys[] = { "seq", "at", "who", "role", "pid", "address", "application", "action", "batch", "what",
        "target", "facts", "items_sha", "previous_hash" };
    QByteArrayList parts;
    for (size_t i = 0; i + 1 < std::size(keys); ++i) {
        parts.append(token(line, keys[i], keys[i + 1]));
    }
    const QString at = QString::fromLatin1(parts.at(1).mid(1));
    const qint64 micros = QDateTime::fromString(at.left(19) + u'Z', Qt::ISODate).toSecsSinceEpoch() * 1'000'000
        + at.mid(20, 6).toLongLong();
    parts[1] = QByteArray::number(micros);
    const QByteArray previous = QByteArray::fromHex(token(line, "previous_hash", "hash").mid(1, 64));
    return QCryptographicHash::hash(previous + '[' + parts.join(", ") + ']', QCryptographicHash::Sha256).toHex();
}

/// As somebody with all rights would do it.
const QString kOpened = QStringLiteral("BEGIN; ALTER TABLE idemdesk.audit DISABLE TRIGGER keep_rows; %1; ALTER TABLE "
                                       "idemdesk.audit ENABLE ALWAYS TRIGGER keep_rows; COMMIT");
const QString kCut = QStringLiteral("DELETE FROM idemdesk.audit WHERE seq = (SELECT max(seq) FROM idemdesk.audit);"
                                    "UPDATE idemdesk.audit_head h SET seq = a.seq, hash = a.hash FROM (SELECT seq, "
                                    "hash FROM idemdesk.audit ORDER BY seq DESC LIMIT 1) a");
/// The action that act() cancelled, as it was before.
const QString kNotCancelled = QStringLiteral(
    "; UPDATE idemdesk.action SET state = 'paused', note = 'lunch', finished_at = NULL WHERE state = 'cancelled'");
const QString kAnew = QStringLiteral(
    "DO $$ DECLARE r idemdesk.audit; h bytea := sha256('idemdesk'); BEGIN FOR r IN SELECT * FROM idemdesk.audit ORDER "
    "BY seq LOOP "
    "IF r.seq = 1 THEN r.who := 'somebody else'; END IF; r.prev_hash := h; h := idemdesk._row_hash(r, h); "
    "UPDATE idemdesk.audit SET who = r.who, prev_hash = r.prev_hash, hash = h WHERE seq = r.seq; END LOOP; UPDATE "
    "idemdesk.audit_head SET hash = h; END $$");

} // namespace

/// The trail as the console reads, checks and exports it, on a real server.
class AuditTest final : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void cleanupTestCase() { m_fixture.reset(); }
    void init();
    void cleanup();

    void filters_data();
    void filters();
    void pagesFurtherBack();
    void refreshBringsNewRowsOnTop();
    void nobodyGetsRowsTwice();
    void exportProvesItself();
    void exportTakesTheFilterAndSaysWhatFails();
    void wholeTrailIsNoted();
    void tamperingShows_data();
    void tamperingShows();
    void glanceNotesNewHeads();
    void withoutRightsThereIsAnError();
    void otherDatabaseForgetsTheFirst();

private:
    std::unique_ptr<sql::Database> connectAs(const QString &login);
    QString value(const QString &sql) { return m_fixture->root().value(sql); }
    QString anchors() const { return m_folder->filePath(u"data/anchors.json"_s); }
    /// One action with two batches, and one that was paused and cancelled.
    void act();

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<ConsoleFixture> m_fixture;
    std::unique_ptr<sql::Database> m_database;
    std::unique_ptr<AuditController> m_audit;
};

void AuditTest::initTestCase()
{
    QTest::failOnWarning(QRegularExpression(u".*"_s));
    m_fixture = std::make_unique<ConsoleFixture>();
}

void AuditTest::init()
{
    m_fixture->fresh();
    m_folder = std::make_unique<QTemporaryDir>();
    m_audit = std::make_unique<AuditController>(anchors());
}

void AuditTest::cleanup()
{
    m_audit.reset();
    m_database.reset();
    m_folder.reset();
}

std::unique_ptr<sql::Database> AuditTest::connectAs(const QString &login)
{
    sql::ConnectionSettings settings;
    settings.conninfo = m_fixture->cluster().conninfoAs(login, m_fixture->database());
    auto database = std::make_unique<sql::Database>(settings);
    database->open();
    m_audit->setDatabase(database.get());
    return database;
}

void AuditTest::act()
{
    const auto op = m_fixture->as(u"op"_s);
    const QString first = ConsoleFixture::newId();
    QVERIFY(m_fixture
                ->open(*op, first, u"recover"_s, m_fixture->frozen(u"status = 'processing'"_s), u"{}"_s,
                    u"=Worker \"7\" crashed, ünlucky"_s)
                .ok());
    QCOMPARE(m_fixture->counts(*op, u"change_batch"_s, first, 1, 30), u"{\"done\": 30}"_s);
    QCOMPARE(m_fixture->counts(*op, u"change_batch"_s, first, 2, 30), u"{\"done\": 20}"_s);
    const auto other = m_fixture->as(u"op2"_s);
    const QString second = ConsoleFixture::newId();
    QVERIFY(m_fixture->openPurge(*other, second, 100).ok());
    QVERIFY(other->run(u"SELECT idemdesk.set_action($1, 'paused', 'lunch')"_s, { second }).ok());
    QVERIFY(other->run(u"SELECT idemdesk.set_action($1, 'cancelled', 'not today')"_s, { second }).ok());
}

void AuditTest::filters_data()
{
    QTest::addColumn<std::function<void(sql::AuditFilter *)>>("set");
    QTest::addColumn<QStringList>("found"); // newest first
    using Set = std::function<void(sql::AuditFilter *)>;
    const QStringList acted { u"cancel"_s, u"pause"_s, u"open"_s, u"batch"_s, u"batch"_s, u"open"_s, u"register"_s };
    QTest::newRow("none") << Set([](sql::AuditFilter *) {}) << acted + QStringList { u"runner"_s, u"settings"_s };
    QTest::newRow("person") << Set([](sql::AuditFilter *f) { f->person = u"op2"_s; })
                            << QStringList { u"cancel"_s, u"pause"_s, u"open"_s };
    QTest::newRow("nobody of that name") << Set([](sql::AuditFilter *f) { f->person = u"op%"_s; }) << QStringList();
    QTest::newRow("target") << Set([](sql::AuditFilter *f) { f->target = u"k"_s; }) << acted;
    QTest::newRow("kind") << Set([](sql::AuditFilter *f) { f->what = u"batch"_s; })
                          << QStringList { u"batch"_s, u"batch"_s };
    QTest::newRow("reason, with its batches")
        << Set([](sql::AuditFilter *f) { f->text = u"WORKER \"7\" Crashed, ÜN"_s; })
        << QStringList { u"batch"_s, u"batch"_s, u"open"_s };
    QTest::newRow("note") << Set([](sql::AuditFilter *f) { f->text = u"not today"_s; }) << QStringList { u"cancel"_s };
    QTest::newRow("ticket") << Set([](sql::AuditFilter *f) {
        f->text = u"t-1"_s;
        f->person = u"op"_s;
    }) << QStringList { u"batch"_s, u"batch"_s, u"open"_s };
    QTest::newRow("text is no pattern") << Set([](sql::AuditFilter *f) { f->text = u"%"_s; }) << QStringList();
    QTest::newRow("text is no SQL") << Set([](sql::AuditFilter *f) { f->text = u"') OR true --"_s; }) << QStringList();
    QTest::newRow("the last hour") << Set([](sql::AuditFilter *f) {
        f->withinSeconds = 3'600;
        f->what = u"open"_s;
    }) << QStringList { u"open"_s, u"open"_s };
    QTest::newRow("since tomorrow") << Set([](sql::AuditFilter *f) {
        f->since = sql::Timestamp::fromDateTime(QDateTime::currentDateTimeUtc().addDays(1));
    }) << QStringList();
    QTest::newRow("until yesterday") << Set([](sql::AuditFilter *f) {
        f->until = sql::Timestamp::fromDateTime(QDateTime::currentDateTimeUtc().addDays(-1));
    }) << QStringList();
}

void AuditTest::filters()
{
    using Set = std::function<void(sql::AuditFilter *)>;
    QFETCH(Set, set);
    QFETCH(QStringList, found);
    act();
    m_database = connectAs(u"viewer"_s);
    sql::AuditFilter filter;
    set(&filter);
    m_audit->setFilter(filter);
    QTRY_VERIFY_WITH_TIMEOUT(m_audit->loaded() && !m_audit->busy(), 10'000);
    QVERIFY2(!m_audit->error(), m_audit->error() ? qPrintable(m_audit->error()->line()) : "");
    QStringList whats;
    for (const sql::AuditRow &one : m_audit->model()->rows()) {
        whats += one.what;
    }
    QCOMPARE(whats, found);
    QCOMPARE(m_audit->filtered(), QLatin1String(QTest::currentDataTag()) != QLatin1String("none"));
}

void AuditTest::pagesFurtherBack()
{
    const auto op = m_fixture->as(u"op"_s);
    const QString id = ConsoleFixture::newId();
    QVERIFY(m_fixture->openPurge(*op, id, 100).ok());
    for (int i = 1; i <= 450; ++i) {
        const QString state = i % 2 == 1 ? u"paused"_s : u"running"_s;
        QVERIFY(op->run(u"SELECT idemdesk.set_action($1, $2, $3)"_s, { id, state, u"n%1"_s.arg(i) }).ok());
    }
    m_database = connectAs(u"viewer"_s);
    m_audit->refresh();
    QTRY_COMPARE_WITH_TIMEOUT(m_audit->model()->rowCount(), 200, 10'000);
    m_audit->model()->fetchMore({});
    m_audit->model()->fetchMore({}); // asked twice, read once
    QTRY_COMPARE_WITH_TIMEOUT(m_audit->model()->rowCount(), 400, 10'000);
    m_audit->model()->fetchMore({});
    QTRY_COMPARE_WITH_TIMEOUT(m_audit->model()->rowCount(), 454, 10'000);
    QVERIFY(!m_audit->model()->canFetchMore({}));
    for (qsizetype i = 0; i < 454; ++i) {
        QCOMPARE(m_audit->model()->rows().at(i).seq, 454 - i);
    }
}

void AuditTest::refreshBringsNewRowsOnTop()
{
    act();
    m_database = connectAs(u"viewer"_s);
    m_audit->refresh();
    QTRY_COMPARE_WITH_TIMEOUT(m_audit->model()->rowCount(), 9, 10'000);
    QSignalSpy resets(m_audit->model(), &QAbstractItemModel::modelReset);
    const auto op = m_fixture->as(u"op"_s);
    QVERIFY(m_fixture->openPurge(*op, ConsoleFixture::newId(), 1).ok());
    m_audit->refresh();
    QTRY_COMPARE_WITH_TIMEOUT(m_audit->model()->rowCount(), 10, 10'000);
    QCOMPARE(resets.size(), 0);
    QCOMPARE(m_audit->model()->rows().constFirst().seq, 10);
}

void AuditTest::nobodyGetsRowsTwice()
{
    const auto op = m_fixture->as(u"op"_s);
    const QString id = ConsoleFixture::newId();
    QVERIFY(m_fixture->openPurge(*op, id, 100).ok());
    for (int i = 1; i <= 450; ++i) {
        const QString state = i % 2 == 1 ? u"paused"_s : u"running"_s;
        QVERIFY(op->run(u"SELECT idemdesk.set_action($1, $2, $3)"_s, { id, state, u"n%1"_s.arg(i) }).ok());
    }
    m_database = connectAs(u"viewer"_s);
    // The tester asks for more whenever rows come in, in the middle of it as well.
    QAbstractItemModelTester tester(m_audit->model(), QAbstractItemModelTester::FailureReportingMode::Warning);
    m_audit->refresh();
    QTRY_VERIFY_WITH_TIMEOUT(m_audit->loaded() && !m_audit->busy(), 10'000);
    while (m_audit->model()->canFetchMore({}) || m_audit->busy()) {
        m_audit->model()->fetchMore({});
        QTRY_VERIFY_WITH_TIMEOUT(!m_audit->busy(), 10'000);
    }
    QCOMPARE(m_audit->model()->rowCount(), 454);
}

void AuditTest::exportProvesItself()
{
    act();
    m_database = connectAs(u"viewer"_s);
    const QString path = m_folder->filePath(u"trail.jsonl"_s);
    QSignalSpy exported(m_audit.get(), &AuditController::exported);
    m_audit->exportTo(path, AuditFormat::JsonLines);
    QTRY_COMPARE_WITH_TIMEOUT(exported.size(), 1, 10'000);
    QCOMPARE(exported.at(0).at(1).toLongLong(), 9);
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray text = file.readAll();
    QCOMPARE(file.permissions() & (QFile::ReadGroup | QFile::ReadOther), QFile::Permissions());
    QByteArrayList lines = text.split('\n');
    QCOMPARE(lines.size(), 10);
    QCOMPARE(lines.takeLast(), QByteArray());
    for (const QByteArray &line : std::as_const(lines)) {
        const QByteArray hash = line.mid(line.indexOf("\"hash\":\"") + 8, 64);
        QCOMPARE(hashByFile(line), hash);
    }
    QByteArray forged = lines.at(2);
    const QByteArray hash = hashByFile(forged);
    forged.replace("\"who\":\"op2\"", "\"who\":\"op3\"");
    QVERIFY(hashByFile(forged) != hash);
}

void AuditTest::exportTakesTheFilterAndSaysWhatFails()
{
    act();
    m_database = connectAs(u"viewer"_s);
    sql::AuditFilter filter;
    filter.person = u"op"_s;
    m_audit->setFilter(filter);
    QSignalSpy exported(m_audit.get(), &AuditController::exported);
    m_audit->exportTo(m_folder->filePath(u"trail.csv"_s), AuditFormat::Csv);
    QVERIFY(m_audit->exporting());
    QTRY_COMPARE_WITH_TIMEOUT(exported.size(), 1, 10'000);
    QFile file(m_folder->filePath(u"trail.csv"_s));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray text = file.readAll();
    QCOMPARE(text.count("\r\n"), 4);
    QVERIFY(!text.contains("op2"));
    m_audit->exportTo(m_folder->path(), AuditFormat::Csv); // a folder
    QTRY_VERIFY_WITH_TIMEOUT(m_audit->error().has_value() && !m_audit->exporting(), 10'000);
    QCOMPARE(m_audit->error()->kind, sql::ErrorKind::File);
    QCOMPARE(exported.size(), 1);
}

void AuditTest::wholeTrailIsNoted()
{
    act();
    m_database = connectAs(u"viewer"_s);
    m_audit->verify();
    QVERIFY(m_audit->verifying());
    QTRY_VERIFY_WITH_TIMEOUT(m_audit->check().has_value(), 10'000);
    QVERIFY(m_audit->check()->whole());
    QVERIFY(m_audit->check()->walked);
    QCOMPARE(m_audit->check()->chain.checked, 9);
    QCOMPARE(m_audit->check()->anchorState, AnchorState::None);
    QVERIFY(m_audit->check()->guardFindings().isEmpty());
    const sql::AuditAnchor head = m_audit->check()->head;
    const auto noted = AnchorStore(anchors()).anchorOf(value(u"SELECT system_identifier FROM pg_control_system()"_s),
        value(u"SELECT oid FROM pg_database WHERE datname = current_database()"_s).toUInt());
    QVERIFY(noted.has_value());
    QCOMPARE(noted->seq, 9);
    QCOMPARE(noted->hash, head.hash);
    m_audit->verify();
    QTRY_VERIFY_WITH_TIMEOUT(!m_audit->verifying(), 10'000);
    QCOMPARE(m_audit->check()->anchorState, AnchorState::Matches);
}

void AuditTest::tamperingShows_data()
{
    QTest::addColumn<QString>("tamper");
    QTest::addColumn<bool>("glanceSees"); // without a walk
    QTest::addColumn<QStringList>("says"); // one for each finding, the worst first
    QTest::addColumn<bool>("chainIntact");
    QTest::addColumn<QString>("means");
    const QString disagrees = u"A table does not agree with row %1 of the audit log: "_s;
    const QString cut = u"The end of the audit log is gone: this computer saw row 9 at "_s;
    const QString notSo = u" is not what was asked for, approved and done."_s;
    QTest::newRow("content changed")
        << kOpened.arg(u"UPDATE idemdesk.audit SET who = 'x' WHERE seq = 5"_s) << false
        << QStringList { u"The audit log was tampered with at row 5: its content was changed."_s } << false
        << u"Rows 1 to 4 fit together"_s;
    QTest::newRow("row taken out") << kOpened.arg(u"DELETE FROM idemdesk.audit WHERE seq = 5"_s) << false
                                   << QStringList { u"row 5 is missing"_s,
                                          u"A table holds what no row of the audit log says: batch 1 of action "_s }
                                   << false << u"Rows 1 to "_s;
    QTest::newRow("end cut off, and the action put back")
        << kOpened.arg(kCut + kNotCancelled) << true << QStringList { cut } << true << u"an older backup"_s;
    QTest::newRow("end cut off, the action left as it is")
        << kOpened.arg(kCut) << true << QStringList { cut, disagrees.arg(7) + u"action "_s } << true
        << u"an older backup"_s;
    QTest::newRow("history written anew")
        << kOpened.arg(kAnew) << true << QStringList { u"rewritten: row 9"_s } << true << u"an older backup"_s;
    QTest::newRow("only the head put back")
        << u"UPDATE idemdesk.audit_head h SET seq = a.seq, hash = a.hash FROM (SELECT * FROM idemdesk.audit WHERE seq = 7) a"_s
        << true << QStringList { cut, u"The audit log was tampered with at row 8: its own count ends at row 7."_s }
        << false << u"Rows 1 to 7 fit together"_s;
    QTest::newRow("a table altered, the trail whole")
        << u"UPDATE idemdesk.action SET reason = 'harmless' WHERE state = 'cancelled'"_s << false
        << QStringList { disagrees.arg(7) + u"action "_s } << true << u"believe its rows"_s;
    QTest::newRow("two tables altered") << u"UPDATE idemdesk.action SET reason = 'harmless' WHERE state = 'cancelled'; "
                                           "UPDATE idemdesk.installation SET items_kept = '8 days'; "
                                           "INSERT INTO idemdesk.shared_login (login) VALUES ('op')"_s
                                        << false
                                        << QStringList { disagrees.arg(7) + u"action "_s,
                                               disagrees.arg(1) + u"how long things are kept was changed"_s,
                                               u"no row of the audit log says: whether the login op is shared"_s }
                                        << true << u"believe its rows"_s;
    QTest::newRow("a fact that is no number")
        << kOpened.arg(
               u"UPDATE idemdesk.audit SET what = 'import', "
               "facts = '{\"import\": \"none\", \"rows\": \"many\", \"oldest\": \"2999-01-01\"}' WHERE seq = 2"_s)
        << false
        << QStringList { u"tampered with at row 2"_s, u"what the audit log says about settings cannot be read"_s }
        << false << u"Rows 1 to 1 fit"_s;
}

void AuditTest::tamperingShows()
{
    QFETCH(QString, tamper);
    QFETCH(bool, glanceSees);
    QFETCH(QStringList, says);
    QFETCH(bool, chainIntact);
    QFETCH(QString, means);
    act();
    m_database = connectAs(u"viewer"_s);
    m_audit->glance();
    QTRY_VERIFY_WITH_TIMEOUT(m_audit->check().has_value(), 10'000);
    QVERIFY(m_audit->check()->whole());
    QVERIFY(!m_audit->check()->walked);
    QFile note(anchors());
    QVERIFY(note.open(QIODevice::ReadOnly));
    const QByteArray before = note.readAll();

    m_fixture->cluster().psql(m_fixture->database(), tamper);
    QSignalSpy changed(m_audit.get(), &AuditController::changed);
    m_audit->glance();
    QTRY_VERIFY_WITH_TIMEOUT(!changed.isEmpty(), 10'000);
    QCOMPARE(m_audit->check()->whole(), !glanceSees);
    m_audit->verify();
    QTRY_VERIFY_WITH_TIMEOUT(!m_audit->verifying(), 10'000);
    const TrailCheck check = *m_audit->check();
    QVERIFY(!check.whole());
    QCOMPARE(check.chain.chainIntact(), chainIntact);
    const QStringList findings = check.findings();
    QVERIFY2(findings.size() == says.size(), qPrintable(check.sentence()));
    for (int i = 0; i < says.size(); ++i) {
        QVERIFY2(findings.at(i).contains(says.at(i)), qPrintable(check.sentence()));
    }
    QCOMPARE(check.sentence(), findings.join(u'\n'));
    QVERIFY2(check.meaning().contains(means), qPrintable(check.meaning()));
    QCOMPARE(check.guardFindings().size(), says.size());
    QVERIFY(check.guardFindings().constFirst().red);
    // A later glance does not whitewash it, and the note is still the old one.
    m_audit->glance();
    m_audit->refresh();
    QTRY_VERIFY_WITH_TIMEOUT(m_audit->loaded() && !m_audit->busy(), 10'000);
    QVERIFY(!m_audit->check()->whole());
    note.seek(0);
    QCOMPARE(note.readAll(), before);
    QFile now(anchors());
    QVERIFY(now.open(QIODevice::ReadOnly));
    QCOMPARE(now.readAll(), before);
}

void AuditTest::glanceNotesNewHeads()
{
    m_database = connectAs(u"op"_s);
    m_audit->glance();
    QTRY_VERIFY_WITH_TIMEOUT(m_audit->check().has_value(), 10'000);
    QCOMPARE(m_audit->check()->head.seq, 3);
    act();
    m_audit->glance();
    QTRY_COMPARE_WITH_TIMEOUT(m_audit->check()->head.seq, 9, 10'000);
    QCOMPARE(m_audit->check()->anchorState, AnchorState::Matches);
    QCOMPARE(m_audit->check()->seen->seq, 3);
    QFile file(anchors());
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(QJsonDocument::fromJson(file.readAll())[u"anchors"_s][0][u"seq"_s].toInteger(), 9);
}

void AuditTest::withoutRightsThereIsAnError()
{
    m_database = connectAs(u"service"_s);
    m_audit->refresh();
    QTRY_VERIFY_WITH_TIMEOUT(m_audit->error().has_value(), 10'000);
    QCOMPARE(m_audit->error()->kind, sql::ErrorKind::Privilege);
    QVERIFY(!m_audit->loaded());
    m_audit->verify();
    QTRY_VERIFY_WITH_TIMEOUT(!m_audit->verifying(), 10'000);
    QVERIFY(!m_audit->check());
    QVERIFY(!QFile::exists(anchors()));
}

void AuditTest::otherDatabaseForgetsTheFirst()
{
    act();
    m_database = connectAs(u"viewer"_s);
    m_audit->verify();
    m_audit->refresh();
    QTRY_VERIFY_WITH_TIMEOUT(m_audit->loaded() && m_audit->check(), 10'000);
    const auto before = std::move(m_database);
    m_fixture->fresh();
    m_database = connectAs(u"viewer"_s);
    QVERIFY(!m_audit->check());
    QVERIFY(!m_audit->loaded());
    QCOMPARE(m_audit->model()->rowCount(), 0);
    m_audit->verify();
    QTRY_VERIFY_WITH_TIMEOUT(m_audit->check().has_value(), 10'000);
    QCOMPARE(m_audit->check()->anchorState, AnchorState::None); // a database of its own
    QVERIFY(m_audit->check()->whole());
}

QTEST_GUILESS_MAIN(AuditTest)
#include "tst_audit.moc"
