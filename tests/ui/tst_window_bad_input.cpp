// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/alerts/alert_controller.h"
#include "models/health/health_controller.h"
#include "models/keys/key_detail.h"
#include "models/overview/overview_model.h"
#include "sql/profile/profile_json.h"
#include "tests/support/unix_socket.h"
#include "tests/ui/window_fixture.h"
#include "ui/dialogs/connect_dialog.h"
#include "ui/pages/health/health_page.h"
#include "ui/pages/keys/detail_pane.h"
#include "ui/window/rail.h"

#include <QComboBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QScopeGuard>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

#include <csignal>
#include <sys/resource.h>
#include <unistd.h>

using namespace Qt::StringLiterals;
using namespace idemdesk;
using namespace idemdesk::tests;

namespace {

/// A table of ordinary columns under a profile of its own; every role may be NULL.
QByteArray profileJson(const QString &name, const QString &relation, const QString &changes = {})
{
    QString json
        = uR"({"idemdesk_profile": 1, "name": "%1", "title": "%1", "kind": "request", "relation": "%2", "identity": ["id"],
        "scope": [{"label": "tenant", "sql": "t.tenant"}], "key": "t.key",
        "roles": {"status": "t.status", "attempts": "t.attempts", "owner": "t.owner", "lease_until": "t.lease", "created_at": "t.created",
                  "expires_at": "t.expires", "response_body": "t.body", "error_message": "t.why"},
        "states": {"open": "in_progress", "done": "succeeded"},
        "stale": [{"states": ["in_progress"], "by": "t.lease", "after": "0s"}], "guard": ["status"],
        "actions": {"recover": [], "requeue": [], "reclassify": []}, "purge": null, "orders": [], "aliases": [], "effects": [], "policies": []})"_s;
    json.replace(u"%1"_s, name).replace(u"%2"_s, relation);
    if (!changes.isEmpty()) {
        const qsizetype arrow = changes.indexOf(u"=>"_s);
        json.replace(changes.left(arrow), changes.mid(arrow + 2));
    }
    return json.toUtf8();
}

} // namespace

/// The issue's list of bad input, item by item, in the window: each gives a clear message in its place, and the rest
/// goes on working.
class WindowBadInputTest final : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void cleanupTestCase();
    void init();
    void cleanup();

    void connectionsThatFailSayWhy_data();
    void connectionsThatFailSayWhy();
    void changesUnderAnOpenPageAreSaid_data();
    void changesUnderAnOpenPageAreSaid();
    void serverThatGoesIsWaitedFor();
    void theConnectDialogMindsWhatItAskedForAlone();
    void oddRowsAreShown_data();
    void oddRowsAreShown();
    void oddRelationsAreShown_data();
    void oddRelationsAreShown();
    void filtersWithWrongValuesAreMarked_data();
    void filtersWithWrongValuesAreMarked();
    void tablesOfOneTitleAreToldApart();
    void sizeAndZeroAreWhatTheySay();
    void healthsTabsCountWhatTheyList();
    void profileThatIsNotSqlIsNamed();
    void rowThatIsGoneIsSaidInTheDetail();
    void autoRefreshRestsWhileADialogIsOpen();
    void exportThatCannotBeWrittenLeavesNothing_data();
    void exportThatCannotBeWrittenLeavesNothing();

private:
    QString sql(const QString &text) { return m_cluster->psql(u"bad"_s, text); }
    void connectAs(const QString &user);
    void open(const QString &name, const QByteArray &profile, const QString &filter = {});
    void otherTableWorks();
    QString words() const; ///< everything a person reads in the window now

    std::unique_ptr<TestCluster> m_cluster;
    std::unique_ptr<WindowFixture> m_fixture;
};

void WindowBadInputTest::initTestCase()
{
    m_cluster = std::make_unique<TestCluster>();
    m_cluster->createDatabase(u"bad"_s);
    m_cluster->psql(u"bad"_s,
        u"CREATE ROLE reader LOGIN; CREATE ROLE crowded LOGIN CONNECTION LIMIT 0; CREATE ROLE keyless LOGIN;"
        "CREATE SCHEMA x; GRANT USAGE ON SCHEMA x TO reader; ALTER DEFAULT PRIVILEGES IN SCHEMA x GRANT SELECT ON "
        "TABLES TO reader;"
        "CREATE TABLE x.good (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, tenant text, key text, status text, "
        "attempts integer, owner text,"
        " lease timestamptz, created timestamptz, expires timestamptz, body jsonb, why text);"
        "INSERT INTO x.good (tenant, key, status, attempts, created) SELECT 't', 'g' || i, 'done', 1, now() FROM generate_series(1, 3) i"_s);
}

void WindowBadInputTest::cleanupTestCase()
{
    m_cluster.reset();
}

void WindowBadInputTest::init()
{
    QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support ).*"_s));
    sql(u"DROP TABLE IF EXISTS x.t CASCADE; CREATE TABLE x.t (LIKE x.good INCLUDING ALL);"
        "INSERT INTO x.t (tenant, key, status, attempts, lease, created, expires) SELECT 'a', 'k' || i, 'open', i, "
        "now() - interval '1 hour', now(), now() "
        "FROM generate_series(1, 5) i"_s);
    m_fixture = std::make_unique<WindowFixture>(*m_cluster);
}

void WindowBadInputTest::cleanup()
{
    m_fixture.reset();
}

QString WindowBadInputTest::words() const
{
    QString all;
    for (const QLabel *label : m_fixture->window->findChildren<QLabel *>()) {
        if (label->isVisible()) {
            all += label->text() + u'\n';
        }
    }
    return all;
}

void WindowBadInputTest::connectAs(const QString &user)
{
    m_fixture->connectAs(user, u"bad"_s);
    QTRY_VERIFY_WITH_TIMEOUT(m_fixture->connection.targetsLoaded(), 20'000);
}

void WindowBadInputTest::open(const QString &name, const QByteArray &profile, const QString &filter)
{
    const auto read = sql::profileFromJson(profile, u"test"_s);
    QVERIFY2(read.ok(), read.ok() ? "" : qPrintable(read.error().line() + read.error().where));
    m_fixture->connection.addProfile(*read, models::TargetSource::File, {}, true);
    QTRY_VERIFY_WITH_TIMEOUT(m_fixture->connection.target(name) != nullptr, 20'000);
    m_fixture->window->showPage(u"keys"_s);
    m_fixture->window->keysPage()->showTarget(name, filter);
    QTRY_VERIFY_WITH_TIMEOUT(m_fixture->calm(), 20'000);
}

/// Whatever happened to one table, another opens.
void WindowBadInputTest::otherTableWorks()
{
    open(u"good"_s, profileJson(u"good"_s, u"x.good"_s));
    QCOMPARE(m_fixture->model()->rowCount(), 3);
    QTRY_VERIFY(!m_fixture->find<QWidget>(u"keysNotice"_s)->isVisible());
}

void WindowBadInputTest::connectionsThatFailSayWhy_data()
{
    QTest::addColumn<QString>("user");
    QTest::addColumn<QString>("database");
    QTest::addColumn<QString>("said");
    QTest::newRow("no such database") << u"reader"_s << u"nowhere"_s << u"nowhere"_s;
    QTest::newRow("no such role") << u"nobody-of-that-name"_s << u"bad"_s << u"nobody-of-that-name"_s;
    QTest::newRow("too many connections") << u"crowded"_s << u"bad"_s << u"too many connections"_s;
}

void WindowBadInputTest::connectionsThatFailSayWhy()
{
    QFETCH(QString, user);
    QFETCH(QString, database);
    QFETCH(QString, said);
    m_fixture->connectAs(u"'"_s + user + u"'"_s, database);
    QTRY_VERIFY_WITH_TIMEOUT(words().contains(said), 20'000);
    m_fixture->connection.disconnectNow();
    connectAs(u"reader"_s); // the next try is not spoilt by this one
    otherTableWorks();
}

void WindowBadInputTest::changesUnderAnOpenPageAreSaid_data()
{
    QTest::addColumn<QString>("change");
    QTest::addColumn<QString>("said");
    QTest::addColumn<QString>("mend");
    QTest::newRow("table dropped") << u"DROP TABLE x.t"_s << u"not there"_s << QString();
    QTest::newRow("table renamed") << u"ALTER TABLE x.t RENAME TO t2"_s << u"not there"_s
                                   << u"ALTER TABLE x.t2 RENAME TO t"_s;
    QTest::newRow("column dropped") << u"ALTER TABLE x.t DROP COLUMN attempts"_s << u"attempts"_s << QString();
    QTest::newRow("column renamed") << u"ALTER TABLE x.t RENAME COLUMN owner TO worker"_s << u"owner"_s
                                    << u"ALTER TABLE x.t RENAME COLUMN worker TO owner"_s;
    QTest::newRow("right on the table taken")
        << u"REVOKE SELECT ON x.t FROM reader"_s << u"permission denied"_s << u"GRANT SELECT ON x.t TO reader"_s;
    QTest::newRow("right on a column taken")
        << u"REVOKE SELECT ON x.t FROM reader; GRANT SELECT (id, tenant, key, status) ON x.t TO reader"_s
        << u"permission denied"_s << u"GRANT SELECT ON x.t TO reader"_s;
}

void WindowBadInputTest::changesUnderAnOpenPageAreSaid()
{
    QFETCH(QString, change);
    QFETCH(QString, said);
    QFETCH(QString, mend);
    connectAs(u"reader"_s);
    open(u"t"_s, profileJson(u"t"_s, u"x.t"_s));
    QCOMPARE(m_fixture->model()->rowCount(), 5);
    sql(change);
    m_fixture->window->browser()->refresh();
    auto *notice = m_fixture->find<QWidget>(u"keysNotice"_s);
    QTRY_VERIFY_WITH_TIMEOUT(notice->isVisible(), 20'000);
    QVERIFY2(words().contains(said), qPrintable(words()));
    QCOMPARE(m_fixture->model()->rowCount(), 5); // what was read stays
    if (!mend.isEmpty()) {
        sql(mend);
        notice->findChild<QPushButton *>(u"noticePrimary"_s)->click();
        QTRY_VERIFY_WITH_TIMEOUT(!notice->isVisible() && m_fixture->calm(), 20'000);
        QCOMPARE(m_fixture->model()->rowCount(), 5);
    }
    otherTableWorks();
}

void WindowBadInputTest::serverThatGoesIsWaitedFor()
{
    connectAs(u"reader"_s);
    open(u"t"_s, profileJson(u"t"_s, u"x.t"_s));
    sql(u"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'reader'"_s);
    m_fixture->window->browser()->refresh();
    QTRY_VERIFY_WITH_TIMEOUT(m_fixture->connection.state() == sql::LinkState::Connected && m_fixture->calm(), 30'000);
    QCOMPARE(m_fixture->model()->rowCount(), 5);
    QTRY_VERIFY_WITH_TIMEOUT(!m_fixture->find<QWidget>(u"keysNotice"_s)->isVisible(), 20'000);
}

/// A connection that something else opens, such as a group, is neither given up with the dialog nor closes it.
void WindowBadInputTest::theConnectDialogMindsWhatItAskedForAlone()
{
    const QTemporaryDir folder;
    const int silent = listenAt(folder.filePath(u".s.PGSQL.5432"_s).toLocal8Bit()); // it never answers
    const auto close = qScopeGuard([silent] { ::close(silent); });
    sql::ConnectionSettings slow;
    slow.conninfo = u"host=%1 port=5432 dbname=x user=x"_s.arg(folder.path());
    const models::ConnectionController &connection = m_fixture->connection;
    m_fixture->window->openConnect();
    QPointer<ui::ConnectDialog> dialog = m_fixture->window->connectDialog();
    m_fixture->connection.connectTo(slow);
    QCOMPARE(connection.state(), sql::LinkState::Connecting);
    QTRY_VERIFY(dialog->isVisible());
    QVERIFY(dialog->findChild<QPushButton *>(u"connectConnect"_s)->isEnabled());
    QTest::keyClick(dialog, Qt::Key_Escape);
    QTRY_VERIFY(dialog == nullptr);
    QCOMPARE(connection.state(), sql::LinkState::Connecting);

    // What it did ask for it gives up, and forgets.
    m_fixture->window->openConnect();
    dialog = m_fixture->window->connectDialog();
    auto *form = dialog->findChild<QTabWidget *>(u"connectTabs"_s);
    form->setCurrentIndex(1);
    dialog->findChild<QLineEdit *>(u"connectText"_s)->setText(slow.conninfo);
    dialog->findChild<QPushButton *>(u"connectConnect"_s)->click();
    QTRY_COMPARE(connection.state(), sql::LinkState::Connecting);
    QTest::keyClick(dialog, Qt::Key_Escape);
    QTRY_COMPARE(connection.state(), sql::LinkState::Disconnected);

    connectAs(u"reader"_s);
    open(u"t"_s, profileJson(u"t"_s, u"x.t"_s));
    m_fixture->window->openConnect();
    dialog = m_fixture->window->connectDialog();
    QSignalSpy changed(&connection, &models::ConnectionController::stateChanged);
    sql(u"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'reader'"_s);
    m_fixture->window->browser()->refresh();
    QTRY_VERIFY_WITH_TIMEOUT(!changed.isEmpty() && connection.state() == sql::LinkState::Connected, 30'000);
    QVERIFY(dialog != nullptr && dialog->isVisible());
}

void WindowBadInputTest::oddRowsAreShown_data()
{
    QTest::addColumn<QString>("rows");
    QTest::addColumn<int>("count");
    QTest::addColumn<QString>("shown"); ///< in a cell of the first row, or on the empty page
    QTest::newRow("no row") << u"DELETE FROM x.t"_s << 0 << u"The table is empty"_s;
    QTest::newRow("one row") << u"DELETE FROM x.t WHERE key <> 'k3'"_s << 1 << u"k3"_s;
    QTest::newRow("NULL in every role") << u"DELETE FROM x.t; INSERT INTO x.t DEFAULT VALUES"_s << 1 << u"Unknown"_s;
    QTest::newRow("NULL scope") << u"DELETE FROM x.t; INSERT INTO x.t (key, status) VALUES ('only', 'done')"_s << 1
                                << u"only"_s;
    QTest::newRow("empty key") << u"DELETE FROM x.t; INSERT INTO x.t (tenant, key, status) VALUES ('a', '', 'done')"_s
                               << 1 << u"Succeeded"_s;
    QTest::newRow("infinite times")
        << u"DELETE FROM x.t; INSERT INTO x.t (key, status, lease, created, expires) VALUES ('i', 'open', '-infinity', '-infinity', 'infinity')"_s
        << 1 << u"never"_s;
    QTest::newRow("a status that no profile maps")
        << u"DELETE FROM x.t; INSERT INTO x.t (key, status) VALUES ('odd', 'QUARANTINED')"_s << 1 << u"QUARANTINED"_s;
    QTest::newRow("a key of 10 kB")
        << u"DELETE FROM x.t; INSERT INTO x.t (key, status) VALUES (repeat('k', 10000), 'done')"_s << 1 << u"kkk"_s;
    QTest::newRow("a year far off")
        << u"DELETE FROM x.t; INSERT INTO x.t (key, status, created) VALUES ('old', 'done', '4713-01-01 BC')"_s << 1
        << u"old"_s;
}

void WindowBadInputTest::oddRowsAreShown()
{
    QFETCH(QString, rows);
    QFETCH(int, count);
    QFETCH(QString, shown);
    sql(rows);
    connectAs(u"reader"_s);
    open(u"t"_s, profileJson(u"t"_s, u"x.t"_s));
    QCOMPARE(m_fixture->model()->rowCount(), count);
    QString cells = words();
    for (int column = 0; count > 0 && column < m_fixture->model()->columnCount(); ++column) {
        const QModelIndex index = m_fixture->model()->index(0, column);
        cells += index.data().toString() + u'\n' + index.data(Qt::ToolTipRole).toString() + u'\n';
    }
    QVERIFY2(cells.contains(shown), qPrintable(cells));
    QVERIFY(!m_fixture->find<QWidget>(u"keysNotice"_s)->isVisible());
    if (count > 0) {
        m_fixture->window->keysPage()->selectRow(0);
        QTRY_COMPARE_WITH_TIMEOUT(
            m_fixture->window->detail()->status(), models::KeyDetailController::Status::Ready, 20'000);
    }
    otherTableWorks();
}

void WindowBadInputTest::oddRelationsAreShown_data()
{
    QTest::addColumn<QString>("make");
    QTest::addColumn<QString>("relation");
    QTest::addColumn<QString>("change");
    QTest::addColumn<QString>("said");
    QTest::newRow("view without a key")
        << u"CREATE VIEW x.v AS SELECT * FROM x.t UNION ALL SELECT * FROM x.t WHERE key = 'k1'"_s << u"x.v"_s
        << QString() << QString();
    QTest::newRow("view with GROUP BY")
        << u"CREATE VIEW x.v AS SELECT max(id) AS id, tenant, key, max(status) AS status, max(attempts) AS attempts, "
           u"max(owner) AS owner, max(lease) AS lease, "
           "max(created) AS created, max(expires) AS expires, NULL::jsonb AS body, max(why) AS why FROM x.t GROUP BY tenant, key"_s
        << u"x.v"_s << QString() << QString();
    QTest::newRow("row security hides rows")
        << u"ALTER TABLE x.t ENABLE ROW LEVEL SECURITY; CREATE POLICY p ON x.t FOR SELECT TO reader USING (key <> 'k1')"_s
        << u"x.t"_s << QString() << u"Row security"_s;
    QTest::newRow("a role whose expression fails on a row")
        << u"UPDATE x.t SET why = 'x' WHERE key = 'k2'; UPDATE x.t SET why = '7' WHERE key <> 'k2'"_s << u"x.t"_s
        << u"\"attempts\": \"t.attempts\"=>\"attempts\": \"t.why::integer\""_s << u"could not be read"_s;
}

void WindowBadInputTest::oddRelationsAreShown()
{
    QFETCH(QString, make);
    QFETCH(QString, relation);
    QFETCH(QString, change);
    QFETCH(QString, said);
    sql(make);
    connectAs(u"reader"_s);
    open(u"odd"_s, profileJson(u"odd"_s, relation, change));
    QVERIFY(m_fixture->model()->rowCount() >= 4);
    QVERIFY2(words().contains(said), qPrintable(words()));
    QVERIFY(!m_fixture->find<QWidget>(u"keysNotice"_s)->isVisible());
    otherTableWorks();
}

void WindowBadInputTest::filtersWithWrongValuesAreMarked_data()
{
    QTest::addColumn<QString>("alter");
    QTest::addColumn<QString>("filter");
    QTest::addColumn<int>("rows"); ///< -1: refused at its place
    QTest::newRow("no uuid") << u"ALTER TABLE x.t ALTER key TYPE uuid USING gen_random_uuid()"_s << u"key:not-a-uuid"_s
                             << -1;
    QTest::newRow("no label of the enum")
        << u"DROP TYPE IF EXISTS x.s CASCADE; CREATE TYPE x.s AS ENUM ('open', 'done'); ALTER TABLE x.t ALTER status TYPE x.s USING status::x.s"_s
        << u"status:closed"_s << -1;
    QTest::newRow("no number") << QString() << u"attempts>=many"_s << -1;
    QTest::newRow("a number too large") << QString() << u"attempts>=99999999999999999999"_s << -1;
    QTest::newRow("no time") << QString() << u"created>=yesterdayish"_s << -1;
    QTest::newRow("an open quote") << QString() << u"key:\"k1"_s << -1;
    QTest::newRow("a field that is none") << QString() << u"colour:red"_s << -1;
    QTest::newRow("SQL") << QString() << u"key:\"'; DROP TABLE x.t; --\""_s << 0;
}

void WindowBadInputTest::filtersWithWrongValuesAreMarked()
{
    QFETCH(QString, alter);
    QFETCH(QString, filter);
    QFETCH(int, rows);
    if (!alter.isEmpty()) {
        sql(alter);
    }
    connectAs(u"reader"_s);
    open(u"t"_s, profileJson(u"t"_s, u"x.t"_s));
    QCOMPARE(m_fixture->model()->rowCount(), 5);
    auto *edit = m_fixture->find<QLineEdit>(u"filterText"_s);
    edit->setText(filter);
    QTest::keyClick(edit, Qt::Key_Return);
    if (rows < 0) {
        QTRY_VERIFY_WITH_TIMEOUT(m_fixture->find<QWidget>(u"filterError"_s)->isVisible()
                || m_fixture->find<QWidget>(u"keysNotice"_s)->isVisible(),
            20'000);
        if (alter.isEmpty()) {
            QCOMPARE(m_fixture->model()->rowCount(), 5); // it was never run: the old rows stay
        }
    } else {
        QTRY_COMPARE_WITH_TIMEOUT(m_fixture->model()->rowCount(), rows, 20'000);
        QCOMPARE(sql(u"SELECT count(*) FROM x.t"_s), u"5"_s);
    }
    edit->clear();
    QTest::keyClick(edit, Qt::Key_Return);
    QTRY_VERIFY_WITH_TIMEOUT(m_fixture->calm() && m_fixture->model()->rowCount() == 5, 20'000);
    otherTableWorks();
}

void WindowBadInputTest::tablesOfOneTitleAreToldApart()
{
    connectAs(u"reader"_s);
    for (int i = 0; i < 3; ++i) {
        const QString schema = u"s%1"_s.arg(i);
        sql(u"CREATE SCHEMA IF NOT EXISTS %1; GRANT USAGE ON SCHEMA %1 TO reader; DROP TABLE IF EXISTS "
            u"%1.idempotency_keys; "
            "CREATE TABLE %1.idempotency_keys (LIKE x.good INCLUDING ALL); GRANT SELECT ON %1.idempotency_keys TO reader"_s
                .arg(schema));
        QByteArray profile = profileJson(u"keys-%1"_s.arg(i), schema + u".idempotency_keys"_s,
            u"\"purge\": null=>\"purge\": {\"by\": \"t.expires\", \"after\": \"0s\", \"states\": [\"succeeded\"]}"_s);
        profile.replace("\"roles\": {", "\"roles\": {\"fingerprint\": \"t.why\", ");
        profile.replace("\"title\": \"keys-" + QByteArray::number(i) + '"', "\"title\": \"idempotency_keys\"");
        open(u"keys-%1"_s.arg(i), profile);
    }
    for (const QString &name : { u"targetChooser"_s, u"recoveryTarget"_s, u"purgeTarget"_s, u"trendsTarget"_s,
             u"healthTarget"_s, u"duplicatesTarget"_s, u"compareTarget"_s }) {
        const auto *chooser = m_fixture->find<QComboBox>(name);
        for (int i = 0; i < 3; ++i) {
            const QString shown = chooser->itemText(chooser->findData(u"keys-%1"_s.arg(i)));
            QVERIFY2(shown.startsWith(u"s%1.idempotency_keys"_s.arg(i)), qPrintable(name + u": "_s + shown));
        }
    }
    sql(u"DROP SCHEMA s0 CASCADE; DROP SCHEMA s1 CASCADE; DROP SCHEMA s2 CASCADE"_s);
}

void WindowBadInputTest::sizeAndZeroAreWhatTheySay()
{
    connectAs(u"reader"_s);
    open(u"t"_s, profileJson(u"t"_s, u"x.t"_s));
    open(u"plain"_s,
        profileJson(u"plain"_s, u"x.good"_s,
            u"\"stale\": [{\"states\": [\"in_progress\"], \"by\": \"t.lease\", \"after\": \"0s\"}]=>\"stale\": null"_s));
    m_fixture->window->showPage(u"incident"_s);
    const auto *tables = m_fixture->find<QTableView>(u"incidentTables"_s)->model();
    const auto cell = [tables](const QString &relation, int column) {
        const QModelIndexList found
            = tables->match(tables->index(0, 0), models::DetailRole, relation, 1, Qt::MatchExactly);
        return found.isEmpty() ? QString() : found.first().siblingAtColumn(column).data().toString();
    };
    using Column = models::OverviewModel;
    QTRY_COMPARE_WITH_TIMEOUT(cell(u"x.t"_s, Column::Stale), u"5"_s, 20'000);
    QTRY_VERIFY_WITH_TIMEOUT(cell(u"x.good"_s, Column::States).contains(u"Succeeded: 3"_s), 20'000);
    QVERIFY(!cell(u"x.t"_s, Column::States).contains(u"Succeeded"_s)); // there is none
    QCOMPARE(cell(u"x.good"_s, Column::Stale), u"–"_s); // no rule says when
    QCOMPARE(cell(u"x.good"_s, Column::OldestStale), u"–"_s);
    const QString before = cell(u"x.t"_s, Column::Size);
    sql(u"INSERT INTO x.t (tenant, key, status, body) SELECT 'a', 'big' || i, 'done', jsonb_build_object('pad', repeat(md5(i::text), 20)) FROM generate_series(1, 5000) i"_s);
    m_fixture->find<QToolButton>(u"incidentRefresh"_s)->click();
    QTRY_VERIFY_WITH_TIMEOUT(cell(u"x.t"_s, Column::Size) != before, 20'000);
    QVERIFY2(cell(u"x.t"_s, Column::Size).endsWith(u"MiB"_s), qPrintable(cell(u"x.t"_s, Column::Size)));
}

void WindowBadInputTest::healthsTabsCountWhatTheyList()
{
    connectAs(u"reader"_s);
    open(u"t"_s, profileJson(u"t"_s, u"x.t"_s));
    open(u"good"_s, profileJson(u"good"_s, u"x.good"_s));
    m_fixture->window->showPage(u"health"_s);
    models::HealthController *health = m_fixture->window->health();
    QTRY_VERIFY_WITH_TIMEOUT(!health->busy() && health->model()->problems() > 0, 20'000);
    const auto *tabs = m_fixture->find<QTabWidget>(u"healthTabs"_s);
    const auto count = [tabs](int tab) {
        const QRegularExpressionMatch match = QRegularExpression(u"\\((\\d+)\\)$"_s).match(tabs->tabText(tab));
        return match.hasMatch() ? match.captured(1).toInt() : 0;
    };
    QTRY_COMPARE(qsizetype(count(0)), health->model()->problems());
    // The rail counts what fires alone: it is judged each minute, and does not grow because somebody looked.
    const qsizetype firing = m_fixture->window->alerts()->firing();
    QCOMPARE(
        m_fixture->find<ui::RailButton>(u"rail_health"_s)->count(), firing > 0 ? QString::number(firing) : QString());
    // A list that is narrowed to one table does not change what the tab says of all.
    m_fixture->window->healthPage()->showTarget(u"t"_s);
    QCOMPARE(qsizetype(count(0)), health->model()->problems());
}

void WindowBadInputTest::profileThatIsNotSqlIsNamed()
{
    connectAs(u"reader"_s);
    const auto read = sql::profileFromJson(
        profileJson(u"broken"_s, u"x.t"_s, u"\"key\": \"t.key\"=>\"key\": \"t.key ||\""_s), u"test"_s);
    QVERIFY(read.ok());
    QString failed;
    connect(&m_fixture->connection, &models::ConnectionController::targetFailed, this,
        [&](const QString &name, const sql::Error &error) { failed = name + u' ' + error.line(); });
    m_fixture->connection.addProfile(*read, models::TargetSource::File, {}, true);
    QTRY_VERIFY_WITH_TIMEOUT(!failed.isEmpty(), 20'000);
    QVERIFY2(failed.startsWith(u"broken "_s) && failed.size() > 20, qPrintable(failed));
    otherTableWorks();
}

void WindowBadInputTest::rowThatIsGoneIsSaidInTheDetail()
{
    connectAs(u"reader"_s);
    open(u"t"_s, profileJson(u"t"_s, u"x.t"_s));
    sql(u"DELETE FROM x.t WHERE key = 'k1'"_s);
    for (int row = 0; row < 5; ++row) {
        if (m_fixture->model()->index(row, m_fixture->model()->columnOf(models::KeyColumn::Key)).data().toString()
            == u"k1") {
            m_fixture->window->keysPage()->selectRow(row);
        }
    }
    QTRY_COMPARE_WITH_TIMEOUT(m_fixture->window->detail()->status(), models::KeyDetailController::Status::Gone, 20'000);
    QVERIFY(words().contains(u"This row is gone"_s));
}

void WindowBadInputTest::autoRefreshRestsWhileADialogIsOpen()
{
    connectAs(u"reader"_s);
    open(u"t"_s, profileJson(u"t"_s, u"x.t"_s));
    m_fixture->window->browser()->setAutoRefresh(2);
    m_fixture->window->keysPage()->openJump(); // any dialog holds it
    sql(u"INSERT INTO x.t (tenant, key, status) VALUES ('a', 'new', 'done')"_s);
    // Longer than the interval: nothing may be read meanwhile.
    const bool readMeanwhile = QTest::qWaitFor([this] { return m_fixture->model()->rowCount() != 5; }, 3'000);
    QVERIFY(!readMeanwhile);
    m_fixture->window->keysPage()->findChild<QDialog *>()->reject();
    QTRY_COMPARE_WITH_TIMEOUT(m_fixture->model()->rowCount(), 6, 10'000);
}

void WindowBadInputTest::exportThatCannotBeWrittenLeavesNothing_data()
{
    QTest::addColumn<QString>("path");
    QTest::addColumn<qint64>("room"); ///< bytes that a file may have, 0: any
    QTest::newRow("no room left in the middle") << u"out.csv"_s << qint64(65'536);
    QTest::newRow("a device") << u"/dev/full"_s << qint64(0);
    QTest::newRow("a folder") << u"."_s << qint64(0);
    QTest::newRow("no such folder") << u"none/out.csv"_s << qint64(0);
}

void WindowBadInputTest::exportThatCannotBeWrittenLeavesNothing()
{
    QFETCH(QString, path);
    QFETCH(qint64, room);
    connectAs(u"reader"_s);
    sql(u"INSERT INTO x.t (tenant, key, status, why) SELECT 'a', 'f' || i, 'done', repeat('x', 1000) FROM generate_series(1, 3000) i"_s);
    open(u"t"_s, profileJson(u"t"_s, u"x.t"_s));
    const QTemporaryDir folder;
    m_fixture->window->keysPage()->openExport();
    auto *dialog = m_fixture->window->findChild<QFileDialog *>(u"exportDialog"_s);
    QVERIFY(dialog != nullptr);
    rlimit before {};
    getrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, SIG_IGN);
    if (room > 0) {
        const rlimit small { rlim_t(room), before.rlim_max };
        setrlimit(RLIMIT_FSIZE, &small);
    }
    const auto restored = qScopeGuard([&before] { setrlimit(RLIMIT_FSIZE, &before); });
    emit dialog->fileSelected(path.startsWith(u'/') ? path : folder.filePath(path));
    dialog->reject();
    auto *text = m_fixture->find<QLabel>(u"exportText"_s);
    auto *cancel = m_fixture->find<QPushButton>(u"exportCancel"_s);
    const bool ended = QTest::qWaitFor([&] { return text->isVisible() && !cancel->isVisible(); }, 15'000);
    QVERIFY2(ended,
        qPrintable(u"%1, text shown: %2, cancel shown: %3, window shown: %4, page %5"_s.arg(text->text())
                       .arg(text->isVisible())
                       .arg(cancel->isVisible())
                       .arg(m_fixture->window->isVisible())
                       .arg(m_fixture->window->currentPage())));
    QVERIFY2(text->text().contains(u"could not be written"_s), qPrintable(text->text()));
    QVERIFY(QDir(folder.path()).isEmpty(QDir::Files | QDir::NoDotAndDotDot));
    QVERIFY(!QFileInfo(u"/dev/full"_s).isFile());
    otherTableWorks();
}

QTEST_MAIN(WindowBadInputTest)
#include "tst_window_bad_input.moc"
