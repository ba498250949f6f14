// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/alerts/alert_controller.h"
#include "models/alerts/alert_groups.h"
#include "models/health/health_controller.h"
#include "models/health/health_groups.h"
#include "models/incident/incident_controller.h"
#include "models/incident/incident_notes.h"
#include "models/overview/overview_controller.h"
#include "models/workspace/workspace.h"
#include "sql/profile/profile_json.h"
#include "tests/support/registered_table.h"
#include "tests/ui/window_fixture.h"
#include "ui/pages/health/health_page.h"
#include "ui/pages/incident/incident_page.h"
#include "ui/pages/incident/incident_tile.h"
#include "ui/pages/incident/note_list.h"
#include "ui/pages/incident/state_share.h"
#include "ui/theme/theme.h"
#include "ui/widgets/chip.h"
#include "ui/widgets/notice_bar.h"
#include "ui/window/rail.h"

#include <QApplication>
#include <QDialog>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMap>
#include <QMenuBar>
#include <QPainter>
#include <QPushButton>
#include <QRegularExpression>
#include <QScrollBar>
#include <QSignalSpy>
#include <QToolButton>

using namespace Qt::StringLiterals;
using namespace idemdesk;
using namespace idemdesk::tests;
using Column = models::OverviewModel;

/// The first page as a person meets it: figures, sentences and tables that lead to the keys.
class IncidentPageTest final : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support).*"_s));
        m_fixture = std::make_unique<ConsoleFixture>();
    }
    void cleanupTestCase() { m_fixture.reset(); }
    void init();
    void cleanup() { m_window.reset(); }

    void opensOnWhatIsStuck();
    void aFigureLeadsToItsKeys();
    void aPartOfTheBarLeadsToItsKeys();
    void aFewAmongManyAreStillHit();
    void aTableOpensToItsScopesByKeyboard();
    void theWorstTableStandsFirst();
    void aSmallWindowKeepsTheTables();
    void noRowIsCutAtTheFoot();
    void cardsEndAtAWholeEntry();
    void tilesLeaveNoHole();
    void healthSaysWhyItShowsNothing();
    void anAlertLeadsToItsKeys();
    void anAlertIsAcknowledged();
    void partsOfTheBarAreToldApartWithoutColour_data();
    void partsOfTheBarAreToldApartWithoutColour();
    void aReadingThatFailedSaysSoAndDims();
    void aScreenOnAWallShowsNothingElse();
    void withoutTheConsoleSchemaNothingIsQuiet();
    void whoMayOnlyLookIsToldWhatIsMissing();
    void withoutATableThePageLeadsOn();

private:
    void run(const QString &sql)
    {
        const auto done = m_fixture->root().run(sql);
        QVERIFY2(done.ok(), qPrintable(done.value()));
    }
    void open(const QString &login = u"op"_s);
    ui::IncidentTileButton *tile(const QString &id) const
    {
        return m_window->find<ui::IncidentTileButton>(u"tile_"_s + id);
    }
    QTableView *tables() const { return m_window->find<QTableView>(u"incidentTables"_s); }
    QString filter() const { return m_window->find<QLineEdit>(u"filterText"_s)->text(); }
    models::IncidentController *incident() const { return m_window->window->workspace()->incident(); }

    std::unique_ptr<ConsoleFixture> m_fixture;
    std::unique_ptr<WindowFixture> m_window;
};

void IncidentPageTest::init()
{
    m_fixture->fresh([this] {
        run(u"TRUNCATE app.k; INSERT INTO app.k (tenant, key, status, locked_until) SELECT CASE WHEN i < 5 THEN 'acme' "
            u"ELSE "
            u"'beta' END, 'stuck-' || i, 'processing', now() - interval '5 hours' FROM generate_series(1, 7) i;"
            "INSERT INTO app.k (tenant, key, status) SELECT 'acme', 'bad-' || i, 'dead' FROM generate_series(1, 30) i;"
            "INSERT INTO app.k (tenant, key, status) SELECT 'acme', 'good-' || i, 'succeeded' FROM generate_series(1, 60) i"_s);
        run(u"GRANT USAGE ON SCHEMA app TO op, adm; GRANT SELECT ON ALL TABLES IN SCHEMA app TO op, adm, "
            "idemdesk_runner_app_owner"_s);
        registerTable(*m_fixture);
        m_fixture->forgetBare();
    });
}

void IncidentPageTest::open(const QString &login)
{
    m_window = std::make_unique<WindowFixture>(m_fixture->cluster());
    QVERIFY(QTest::qWaitForWindowActive(m_window->window.get()));
    m_window->connectAs(login, m_fixture->database());
    QTRY_VERIFY_WITH_TIMEOUT(m_window->window->incidentPage()->complete(), 20'000);
}

void IncidentPageTest::opensOnWhatIsStuck()
{
    open();
    QCOMPARE(m_window->window->currentPage(), u"incident"_s);
    QTRY_COMPARE(tile(u"stuck"_s)->tile().figure, u"7"_s);
    QCOMPARE(tile(u"oldest"_s)->tile().figure, u"5 h"_s);
    // Nothing to judge is neither good nor unknown, and takes no place.
    QCOMPARE(tile(u"replication"_s)->tile().level, models::IncidentLevel::Nothing);
    QTRY_VERIFY(!tile(u"replication"_s)->isVisible());
    QVERIFY(tile(u"alerts"_s)->isVisible());
    // One legend says what the parts of all bars are.
    QCOMPARE(
        m_window->find<QWidget>(u"tableLegend"_s)->accessibleName(), u"States in the bars: Stuck, Failed, Succeeded"_s);
    // What the eye sees is what a screen reader says.
    QVERIFY2(tile(u"oldest"_s)->accessibleName().contains(u"Oldest stuck: 5 h. Act now"_s),
        qPrintable(tile(u"oldest"_s)->accessibleName()));
    QTRY_COMPARE(m_window->find<ui::RailButton>(u"rail_recovery"_s)->count(), u"7"_s);
    auto *age = m_window->find<QLabel>(u"incidentAge"_s);
    QVERIFY(age->text().startsWith(u"Last read "_s));
    // Shown again, it does not say for a second what it said when it was left.
    age->setText(u"as it was left"_s);
    m_window->window->showPage(u"keys"_s);
    m_window->window->showPage(u"incident"_s);
    QVERIFY(age->text().startsWith(u"Last read "_s));
    // Every figure, list and table can be reached by Tab.
    QStringList reached;
    tile(u"stuck"_s)->setFocus();
    for (int i = 0; i < 14; ++i) {
        reached += QApplication::focusWidget()->objectName();
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
    }
    for (const QString &name :
        { u"tile_alerts"_s, u"incidentChanges"_s, u"incidentAlerts"_s, u"incidentActions"_s, u"incidentTables"_s }) {
        QVERIFY2(reached.contains(name), qPrintable(name + u" in "_s + reached.join(u' ')));
    }
}

void IncidentPageTest::aFigureLeadsToItsKeys()
{
    open();
    QTRY_COMPARE(tile(u"stuck"_s)->tile().figure, u"7"_s);
    tile(u"stuck"_s)->setFocus();
    QTest::keyClick(tile(u"stuck"_s), Qt::Key_Space);
    QCOMPARE(m_window->window->currentPage(), u"keys"_s);
    QCOMPARE(filter(), u"state:stuck"_s);
    QTRY_COMPARE_WITH_TIMEOUT(m_window->model()->rowCount(), 7, 20'000);
    m_window->window->showPage(u"incident"_s);
    QTest::mouseClick(tile(u"alerts"_s), Qt::LeftButton);
    QCOMPARE(m_window->window->currentPage(), u"health"_s);
}

void IncidentPageTest::aPartOfTheBarLeadsToItsKeys()
{
    open();
    const QModelIndex bar = tables()->model()->index(0, Column::States);
    QTRY_VERIFY_WITH_TIMEOUT(bar.data().toString().contains(u"Failed: 30"_s), 20'000);
    // Stuck, failed and succeeded stand in that order; the second one begins after 7 of 97.
    const QRect cell = tables()->visualRect(bar);
    QTest::mouseClick(
        tables()->viewport(), Qt::LeftButton, {}, QPoint(cell.left() + cell.width() * 2 / 10, cell.center().y()));
    QCOMPARE(m_window->window->currentPage(), u"keys"_s);
    QCOMPARE(filter(), u"state:failed_final"_s);
    QTRY_COMPARE_WITH_TIMEOUT(m_window->model()->rowCount(), 30, 20'000);
}

/// Seven stuck and thirty failed beside twenty thousand: each has a part that a mouse can hit.
void IncidentPageTest::aFewAmongManyAreStillHit()
{
    run(u"INSERT INTO app.k (tenant, key, status) SELECT 'acme', 'more-' || i, 'succeeded' FROM generate_series(1, "
        "20000) i; ANALYZE app.k"_s);
    open();
    const QModelIndex bar = tables()->model()->index(0, Column::States);
    QTRY_VERIFY_WITH_TIMEOUT(bar.data().toString().contains(u"Failed: 30"_s), 20'000);
    constexpr int kLeast = 16; // pixels of a part, as the delegate has it
    const std::pair<double, QString> parts[] = { { 0.5, u"state:stuck"_s }, { 1.5, u"state:failed_final"_s } };
    for (const auto &[place, wanted] : parts) {
        m_window->window->showPage(u"incident"_s);
        const QRect cell = tables()->visualRect(bar);
        QTest::mouseClick(tables()->viewport(), Qt::LeftButton, {},
            QPoint(cell.left() + ui::kCellPadding + int(place * kLeast), cell.center().y()));
        QCOMPARE(m_window->window->currentPage(), u"keys"_s);
        QCOMPARE(filter(), wanted);
    }
}

void IncidentPageTest::aTableOpensToItsScopesByKeyboard()
{
    open();
    auto *scopes = m_window->find<QTableView>(u"scopesTable"_s);
    QVERIFY(!scopes->isVisible());
    tables()->setFocus();
    tables()->setCurrentIndex(tables()->model()->index(0, Column::Title));
    QTest::keyClick(tables(), Qt::Key_Return);
    QVERIFY(scopes->isVisible());
    QTRY_COMPARE_WITH_TIMEOUT(scopes->model()->rowCount(), 2, 20'000);
    // Its states are buttons.
    const auto buttons = m_window->find<QWidget>(u"stateLegend"_s)->findChildren<QToolButton *>();
    QStringList texts;
    for (const QToolButton *button : buttons) {
        texts += button->text();
    }
    QCOMPARE(texts, (QStringList { u"Stuck: 7"_s, u"Failed: 30"_s, u"Succeeded: 60"_s }));
    // What is stuck is counted once, so that the numbers of a line add up, and lead to the keys they count.
    const QModelIndex running = scopes->model()->index(1, 1 + models::ScopesModel::InProgress);
    QCOMPARE(running.data().toString(), u"0"_s);
    QCOMPARE(running.data(models::FilterTextRole).toString(), u"tenant:beta state:in_progress -state:stuck"_s);
    scopes->setFocus();
    scopes->setCurrentIndex(scopes->model()->index(1, 1 + models::ScopesModel::Stale));
    QTest::keyClick(scopes, Qt::Key_Return);
    QCOMPARE(filter(), u"tenant:beta state:stuck"_s);
    QTRY_COMPARE_WITH_TIMEOUT(m_window->model()->rowCount(), 3, 20'000);
    m_window->window->showPage(u"incident"_s);
    m_window->find<QToolButton>(u"scopesClose"_s)->click();
    QVERIFY(!scopes->isVisible());
    QVERIFY(tables()->hasFocus());
}

void IncidentPageTest::theWorstTableStandsFirst()
{
    run(u"CREATE TABLE app.worse (LIKE app.k INCLUDING ALL); ALTER TABLE app.worse OWNER TO app_owner; GRANT SELECT ON "
        u"app.worse TO op, adm, idemdesk_runner_app_owner;"
        "INSERT INTO app.worse (tenant, key, status) VALUES ('t', 'k', 'succeeded')"_s);
    registerTable(*m_fixture,
        R"({"relation": "app.worse", "title": "Worse", "effects": [], "purge": null,
            "actions": {"recover": [], "requeue": []}})",
        u"worse"_s);
    open();
    const auto first = [this] { return tables()->model()->index(0, Column::Title).data().toString(); };
    QCOMPARE(first(), u"Keys of the tests"_s);
    // A click on another title shows that one's scopes; on the same one again it closes them.
    auto *scopes = m_window->find<QTableView>(u"scopesTable"_s);
    const auto click = [this](int row) {
        QTest::mouseClick(tables()->viewport(), Qt::LeftButton, {},
            tables()->visualRect(tables()->model()->index(row, Column::Title)).center());
    };
    const auto shown = [this] { return m_window->window->workspace()->overview()->selectedTarget(); };
    click(0);
    QVERIFY(scopes->isVisible());
    QCOMPARE(shown(), u"k2"_s);
    click(1);
    QVERIFY(scopes->isVisible());
    QCOMPARE(shown(), u"worse"_s);
    click(1);
    QVERIFY(!scopes->isVisible());
    tables()->setCurrentIndex(tables()->model()->index(0, Column::Stale));
    QSignalSpy reset(tables()->model(), &QAbstractItemModel::modelReset);
    run(u"INSERT INTO app.worse (tenant, key, status, locked_until) SELECT 't', 'x' || i, 'processing', now() - "
        u"interval "
        u"'1 day' FROM generate_series(1, 8) i"_s);
    m_window->find<QToolButton>(u"incidentRefresh"_s)->click();
    QTRY_COMPARE_WITH_TIMEOUT(first(), u"Worse"_s, 20'000);
    // What the person stands on goes with its row, and nothing was drawn anew from nothing.
    QCOMPARE(tables()->currentIndex().row(), 1);
    QCOMPARE(tables()->currentIndex().column(), int(Column::Stale));
    QCOMPARE(reset.size(), 0);
    QTRY_COMPARE(tile(u"stuck"_s)->tile().figure, u"15"_s);
}

/// At 1024 by 700 the tables keep their room: tiles and cards are lower, and no column lies half beyond the edge.
void IncidentPageTest::aSmallWindowKeepsTheTables()
{
    open();
    QTRY_VERIFY(!tables()->isColumnHidden(Column::Size));
    const int tall = tile(u"stuck"_s)->height();
    m_window->window->resize(1024, 700);
    QTRY_VERIFY(tables()->isColumnHidden(Column::Size));
    QTRY_COMPARE(tables()->horizontalScrollBar()->maximum(), 0);
    for (const int column : { Column::Title, Column::States, Column::Stale, Column::OldestStale, Column::Failures }) {
        QVERIFY(!tables()->isColumnHidden(column));
    }
    QVERIFY(tile(u"stuck"_s)->height() < tall);
    QVERIFY2(tables()->viewport()->height() >= 3 * tables()->rowHeight(0),
        qPrintable(QString::number(tables()->viewport()->height())));
    m_window->window->resize(1500, 900);
    QTRY_VERIFY(!tables()->isColumnHidden(Column::Size));
    QTRY_COMPARE(tile(u"stuck"_s)->height(), tall);
}

/// Whatever the height of the window, the list ends at a whole row.
void IncidentPageTest::noRowIsCutAtTheFoot()
{
    for (int i = 0; i < 9; ++i) {
        const QString name = u"t%1"_s.arg(i);
        run(u"CREATE TABLE app.%1 (LIKE app.k INCLUDING ALL); ALTER TABLE app.%1 OWNER TO app_owner; "
            "GRANT SELECT ON app.%1 TO op, adm, idemdesk_runner_app_owner"_s.arg(name));
        registerTable(*m_fixture,
            uR"({"relation": "app.%1", "title": "%1", "effects": [], "purge": null,
                "actions": {"recover": [], "requeue": []}})"_s.arg(name)
                .toUtf8(),
            name);
    }
    open();
    QTRY_VERIFY(tables()->model()->rowCount() >= 10);
    for (const QSize &size : { QSize(1280, 800), QSize(1024, 700), QSize(1180, 700), QSize(1360, 840) }) {
        m_window->window->resize(size);
        const auto cut = [this] { return tables()->viewport()->height() % tables()->rowHeight(0); };
        QTRY_COMPARE(m_window->window->size(), size);
        QTRY_COMPARE(cut(), 0);
        QTRY_VERIFY(tables()->viewport()->height() < tables()->verticalHeader()->length());
        QVERIFY(tables()->viewport()->height() >= 2 * tables()->rowHeight(0));
    }
    // What a wall has no room for is counted there.
    auto *rest = m_window->find<QLabel>(u"incidentRest"_s);
    QVERIFY(!rest->isVisible()); // a list that can be scrolled needs no count
    m_window->window->setKiosk(true);
    QTRY_VERIFY(rest->isVisible());
    QTRY_COMPARE(rest->text(),
        u"%1 of %2 shown"_s.arg(tables()->viewport()->height() / tables()->rowHeight(0))
            .arg(tables()->model()->rowCount()));
    m_window->window->setKiosk(false);
    QVERIFY(!rest->isVisible());
    // A table's scopes stand beneath: both lists end so.
    tables()->setCurrentIndex(tables()->model()->index(0, Column::Title));
    QTest::keyClick(tables(), Qt::Key_Return);
    QTRY_VERIFY(m_window->find<QTableView>(u"scopesTable"_s)->isVisible());
    QTRY_COMPARE(tables()->viewport()->height() % tables()->rowHeight(0), 0);
}

/// What does not fit is counted by a button beside the title; a higher card shows it.
void IncidentPageTest::cardsEndAtAWholeEntry()
{
    models::IncidentNotes notes;
    ui::NoteCard card(u"cardOfTheTest"_s, u"What changed"_s, &notes, nullptr);
    card.resize(420, 150);
    card.show();
    QVERIFY(QTest::qWaitForWindowExposed(&card));
    QList<models::IncidentNote> told;
    for (int i = 0; i < 12; ++i) {
        told.append({ u"scope-%1: failures ×%2"_s.arg(i).arg(40 - i), u"48 this hour, usually 1"_s,
            models::IncidentLevel::Watch, {} });
    }
    notes.setNotes(told);
    auto *all = card.findChild<QToolButton *>(u"cardOfTheTestAll"_s);
    QTRY_VERIFY(all->isVisible());
    QVERIFY2(all->text().contains(u"12"_s), qPrintable(all->text()));
    const auto cut = [&card] {
        int foot = 0;
        for (int row = 0; row < 12 && foot < card.list()->viewport()->height(); ++row) {
            foot += card.list()->sizeHintForIndex(card.list()->model()->index(row, 0)).height();
        }
        return foot - card.list()->viewport()->height();
    };
    for (const int height : { 120, 156, 240 }) {
        card.resize(420, height);
        QTRY_COMPARE(cut(), 0);
    }
    // Where not all of them have room each is one line, its source behind it: more of them are seen.
    for (models::IncidentNote &note : told) {
        note.link.kind = models::IncidentLink::Kind::Alerts;
    }
    notes.setNotes(told.mid(0, 4));
    const auto line = [&card] { return card.list()->sizeHintForIndex(card.list()->model()->index(0, 0)).height(); };
    card.resize(420, 300);
    QTRY_VERIFY(!all->isVisible() && line() > 2 * card.fontMetrics().height());
    card.resize(420, 124);
    QTRY_VERIFY2(!all->isVisible() && line() < 2 * card.fontMetrics().height(), qPrintable(QString::number(line())));
    notes.setNotes(told);
    QTRY_VERIFY(all->isVisible() && card.list()->viewport()->height() >= 4 * line());
    QSignalSpy wanted(&card, &ui::NoteCard::allWanted);
    all->setFocus();
    QTest::keyClick(all, Qt::Key_Space);
    QCOMPARE(wanted.size(), 1);
    card.resize(420, 900);
    QTRY_VERIFY(!all->isVisible()); // all of it is there
    card.setScrollable(false);
    card.resize(420, 120);
    QTRY_COMPARE(cut(), 0);
    QVERIFY(!all->isVisible()); // on a wall nothing is to be pressed
}

/// In one line, or in two of the same number.
void IncidentPageTest::tilesLeaveNoHole()
{
    open();
    QTRY_VERIFY(!tile(u"replication"_s)->isVisible());
    for (const QSize &size : { QSize(1024, 700), QSize(1180, 700), QSize(1360, 840) }) {
        m_window->window->resize(size);
        QTRY_COMPARE(m_window->window->size(), size);
        const auto lines = [this] {
            QMap<int, int> byLine;
            for (const QString &id :
                { u"stuck"_s, u"oldest"_s, u"failures"_s, u"conflicts"_s, u"backlog"_s, u"alerts"_s }) {
                ++byLine[tile(id)->y()];
            }
            return byLine.values();
        };
        QTRY_VERIFY(lines() == QList<int>({ 6 }) || lines() == QList<int>({ 3, 3 }));
    }
}

/// Hidden, not asked yet and nothing wrong are three things.
void IncidentPageTest::healthSaysWhyItShowsNothing()
{
    open();
    auto *page = m_window->find<QWidget>(u"healthPage"_s);
    const auto title = [page] { // of the tab that is shown
        const auto all = page->findChildren<QLabel *>(u"emptyStateTitle"_s);
        const auto shown = std::find_if(all.cbegin(), all.cend(), [](const QLabel *one) { return one->isVisible(); });
        return shown != all.cend() ? (*shown)->text() : QString();
    };
    auto *health = m_window->window->workspace()->health();
    m_window->window->showPage(u"health"_s);
    QTRY_VERIFY_WITH_TIMEOUT(health->read() && !health->busy(), 20'000);
    auto *table = m_window->find<QTableView>(u"healthTable"_s);
    QTRY_VERIFY(table->isVisible());
    const auto chips = page->findChildren<ui::Chip *>();
    QList<ui::Chip *> on;
    for (ui::Chip *chip : chips) {
        if (chip->objectName().startsWith(u"health_"_s) && chip->isVisible() && chip->isChecked()) {
            on += chip;
            chip->click();
        }
    }
    // Headings stay: they count what is hidden, and show it again.
    QVERIFY(!on.isEmpty() && table->isVisible());
    const auto *groups = qobject_cast<models::HealthGroups *>(table->model());
    QVERIFY(groups != nullptr && groups->rowCount() > 0);
    for (int row = 0; row < groups->rowCount(); ++row) {
        QVERIFY(groups->isHeading(row));
    }
    for (ui::Chip *chip : std::as_const(on)) {
        chip->click();
    }
    QVERIFY(table->isVisible());
    sql::HealthFinding good;
    good.id = u"states"_s;
    health->model()->setReports({ { u"k2"_s, u"k2"_s, good } });
    emit health->changed();
    QVERIFY(!table->isVisible());
    QCOMPARE(title(), u"Nothing to fix"_s);
    // Beside what is wrong, what is good is one line, which shows them all.
    sql::HealthFinding bad;
    bad.id = u"unique_key"_s;
    bad.level = sql::HealthLevel::Problem;
    good.level = sql::HealthLevel::Good;
    health->model()->setReports({ { u"k2"_s, u"k2"_s, good }, { u"k2"_s, u"k2"_s, bad }, { u"k2"_s, u"k2"_s, good } });
    emit health->changed();
    QCOMPARE(table->model()->rowCount(), 3);
    const QModelIndex line = table->model()->index(2, models::HealthModel::Question);
    QCOMPARE(line.data().toString(), u"2 passed"_s);
    table->setFocus();
    table->setCurrentIndex(line);
    QTest::keyClick(table, Qt::Key_Return);
    QCOMPARE(table->model()->rowCount(), 5);
    QVERIFY(m_window->find<ui::Chip>(u"health_good"_s)->isChecked());
}

void IncidentPageTest::partsOfTheBarAreToldApartWithoutColour_data()
{
    QTest::addColumn<models::Theme>("theme");
    QTest::newRow("light") << models::Theme::Light;
    QTest::newRow("dark") << models::Theme::Dark;
    QTest::newRow("light, high contrast") << models::Theme::ContrastLight;
    QTest::newRow("dark, high contrast") << models::Theme::ContrastDark;
}

void IncidentPageTest::partsOfTheBarAreToldApartWithoutColour()
{
    QFETCH(models::Theme, theme);
    ui::Theme colors(qApp);
    colors.apply(theme);
    const auto back = qScopeGuard([&colors] { colors.apply(models::Theme::Light); });
    QList<QImage> parts;
    for (const std::optional<sql::KeyState> state : { std::optional<sql::KeyState>(),
             std::optional(sql::KeyState::FailedFinal), std::optional(sql::KeyState::FailedRetryable),
             std::optional(sql::KeyState::Unknown), std::optional(sql::KeyState::InProgress),
             std::optional(sql::KeyState::Pending), std::optional(sql::KeyState::Succeeded) }) {
        QImage part(24, 14, QImage::Format_RGB32);
        QPainter painter(&part);
        ui::paintShare(&painter, QRectF(part.rect()), state);
        parts += part;
    }
    for (qsizetype a = 0; a < parts.size(); ++a) {
        for (qsizetype b = a + 1; b < parts.size(); ++b) {
            int different = 0;
            for (int y = 0; y < 14; ++y) {
                for (int x = 0; x < 24; ++x) {
                    different += qAbs(qGray(parts.at(a).pixel(x, y)) - qGray(parts.at(b).pixel(x, y))) > 24 ? 1 : 0;
                }
            }
            QVERIFY2(different > 24 * 14 / 10, qPrintable(u"%1 and %2: %3"_s.arg(a).arg(b).arg(different)));
        }
    }
}

void IncidentPageTest::anAlertLeadsToItsKeys()
{
    open();
    auto *alerts = m_window->window->workspace()->alerts();
    QTRY_VERIFY_WITH_TIMEOUT(alerts->judged() && !alerts->model()->rows().isEmpty(), 20'000);
    QTest::mouseClick(tile(u"alerts"_s), Qt::LeftButton);
    auto *table = m_window->find<QTableView>(u"alertsTable"_s);
    QVERIFY(table->isVisible() && table->currentIndex().isValid());
    auto *keys = m_window->find<QPushButton>(u"alertKeys"_s);
    auto *groups = qobject_cast<models::AlertGroups *>(table->model());
    const auto select = [&](const QString &metric) {
        const auto &rows = alerts->model()->rows();
        const auto found = std::find_if(rows.cbegin(), rows.cend(),
            [&metric](const models::AlertEntry &entry) { return entry.status.rule.metric == metric; });
        for (const auto group : { models::AlertGroup::Unknown, models::AlertGroup::Quiet }) {
            groups->setFolded(int(group), false);
        }
        table->setCurrentIndex(groups->index(groups->rowOf(int(found - rows.cbegin())), models::AlertModel::What));
        return found != rows.cend();
    };
    QVERIFY(select(u"lock_wait"_s) && !keys->isEnabled()); // of sessions, not of keys
    QVERIFY(select(u"oldest_stale"_s) && keys->isEnabled());
    keys->click();
    QCOMPARE(m_window->window->currentPage(), u"keys"_s);
    QCOMPARE(filter(), u"state:stuck"_s);
}

/// By keyboard alone: the alert moves beneath its heading, the rail counts it no longer, and the page says so.
void IncidentPageTest::anAlertIsAcknowledged()
{
    open();
    auto *alerts = m_window->window->workspace()->alerts();
    QTRY_VERIFY_WITH_TIMEOUT(alerts->judged() && !alerts->model()->rows().isEmpty(), 20'000);
    QList<models::AlertEntry> entries = alerts->model()->rows();
    entries[0].status.state = sql::AlertState::Firing;
    entries[0].status.value = 40;
    alerts->model()->setEntries(entries);
    emit alerts->changed();
    auto *rail = m_window->find<ui::RailButton>(u"rail_health"_s);
    QCOMPARE(rail->count(), u"1"_s);
    m_window->window->showPage(u"health"_s);
    m_window->window->healthPage()->showTab(u"alerts"_s);
    auto *table = m_window->find<QTableView>(u"alertsTable"_s);
    auto *groups = qobject_cast<models::AlertGroups *>(table->model());
    table->setFocus();
    table->setCurrentIndex(groups->index(groups->rowOf(0), models::AlertModel::What));
    auto *acknowledge = m_window->find<QPushButton>(u"alertAcknowledge"_s);
    QVERIFY(acknowledge->isEnabled());
    acknowledge->setFocus();
    QTest::keyClick(acknowledge, Qt::Key_Space);
    auto *dialog = m_window->find<QDialog>(u"alertAsk"_s);
    QTest::keyClicks(dialog->findChild<QLineEdit *>(u"alertAskText"_s), u"Bob is at it"_s);
    QVERIFY(dialog->findChild<QPushButton *>(u"alertAskGo"_s)->isEnabled());
    QTest::keyClick(dialog->findChild<QLineEdit *>(u"alertAskText"_s), Qt::Key_Return); // of the note: it is said
    QTRY_VERIFY(m_window->window->findChild<QDialog *>(u"alertAsk"_s) == nullptr);
    QTRY_COMPARE(rail->count(), QString());
    QCOMPARE(groups->groupAt(0), int(models::AlertGroup::Acknowledged));
    const QString told = groups->index(1, models::AlertModel::Value).data(Qt::AccessibleTextRole).toString();
    QVERIFY2(told.contains(u"Acknowledged by op, "_s) && told.contains(u"Bob is at it"_s), qPrintable(told));
    QVERIFY2(m_window->find<QLabel>(u"alertsSummary"_s)->text().contains(u"1 of them acknowledged"_s),
        qPrintable(m_window->find<QLabel>(u"alertsSummary"_s)->text()));
    // A heading folds by its keys, and by a click.
    table->setCurrentIndex(groups->index(0, models::AlertModel::What));
    const int rows = groups->rowCount();
    QTest::keyClick(table, Qt::Key_Left);
    QCOMPARE(groups->rowCount(), rows - 1);
    QTest::mouseClick(
        table->viewport(), Qt::LeftButton, {}, table->visualRect(groups->index(0, models::AlertModel::What)).center());
    QCOMPARE(groups->rowCount(), rows);
    table->setCurrentIndex(groups->index(1, models::AlertModel::What));
    QTest::keyClick(acknowledge, Qt::Key_Space);
    QCOMPARE(rail->count(), u"1"_s);
}

void IncidentPageTest::aReadingThatFailedSaysSoAndDims()
{
    open();
    const QImage bright = tile(u"stuck"_s)->grab().toImage();
    QTRY_COMPARE(tile(u"stuck"_s)->tile().figure, u"7"_s);
    m_fixture->cluster().psql(u"postgres"_s,
        u"ALTER DATABASE %1 ALLOW_CONNECTIONS false; SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE "
        "usename = 'op'"_s.arg(m_fixture->database()));
    incident()->refresh();
    auto *page = m_window->window->incidentPage();
    const auto told = [page] {
        for (const ui::NoticeBar *bar : page->findChildren<ui::NoticeBar *>()) {
            const auto *what = bar->findChild<QLabel *>(u"noticeWhat"_s);
            if (bar->isVisibleTo(page) && what != nullptr && what->text().contains(u"What is shown is from"_s)) {
                return true;
            }
        }
        return false;
    };
    QTRY_VERIFY_WITH_TIMEOUT(told(), 60'000);
    QCOMPARE(tile(u"stuck"_s)->tile().figure, u"7"_s); // what was known stays, dimmed
    const QImage dimmed = tile(u"stuck"_s)->grab().toImage();
    const auto darkest = [](const QImage &image) {
        int least = 255;
        for (int y = 30; y < image.height() - 30; ++y) {
            for (int x = 10; x < image.width() / 2; ++x) {
                least = std::min(least, qGray(image.pixel(x, y)));
            }
        }
        return least;
    };
    QVERIFY2(darkest(dimmed) > darkest(bright) + 20, qPrintable(QString::number(darkest(dimmed))));
    m_fixture->cluster().psql(u"postgres"_s, u"ALTER DATABASE %1 ALLOW_CONNECTIONS true"_s.arg(m_fixture->database()));
}

void IncidentPageTest::aScreenOnAWallShowsNothingElse()
{
    open();
    m_window->window->showPage(u"keys"_s);
    const int before = tile(u"stuck"_s)->height();
    m_window->window->setKiosk(true);
    QCOMPARE(m_window->window->currentPage(), u"incident"_s);
    QVERIFY(!m_window->window->menuBar()->isVisible());
    QVERIFY(!m_window->find<QWidget>(u"rail"_s)->isVisible());
    QVERIFY(!m_window->find<QWidget>(u"addTable"_s)->isVisible());
    QTRY_VERIFY(tile(u"stuck"_s)->height() > before);
    // That it is alive can be read from there, and nothing is to be pressed or scrolled.
    auto *age = m_window->find<QLabel>(u"incidentAge"_s);
    QTRY_VERIFY2(age->text().startsWith(u"Live, every 15 s · server "_s), qPrintable(age->text()));
    QVERIFY(!m_window->find<QWidget>(u"bandConnect"_s)->isVisible());
    QVERIFY(!tables()->verticalScrollBar()->isVisible());
    // It reads by itself, though nobody asked for it.
    const QDateTime last = incident()->lastRead();
    run(u"UPDATE app.k SET status = 'succeeded' WHERE key = 'stuck-1'"_s);
    QTRY_COMPARE_WITH_TIMEOUT(tile(u"stuck"_s)->tile().figure, u"6"_s, 40'000);
    QTRY_VERIFY_WITH_TIMEOUT(incident()->lastRead() > last, 20'000);
    m_window->window->setKiosk(false);
    QTRY_VERIFY2(age->text().startsWith(u"Last read "_s), qPrintable(age->text()));
    QVERIFY(m_window->find<QWidget>(u"bandConnect"_s)->isVisible());
}

void IncidentPageTest::whoMayOnlyLookIsToldWhatIsMissing()
{
    run(u"GRANT USAGE ON SCHEMA app TO viewer; GRANT SELECT ON app.k TO viewer"_s);
    open(u"viewer"_s);
    auto *only = m_window->find<QLabel>(u"incidentOnlyLooks"_s);
    QTRY_VERIFY_WITH_TIMEOUT(only->isVisible(), 20'000);
    QVERIFY2(only->text().startsWith(u"viewer can look, not act. "_s) && only->text().contains(u"idemdesk_operator"_s),
        qPrintable(only->text()));
    QVERIFY(m_window->find<QWidget>(u"bandReadOnly"_s)->isVisible());
    open();
    QTRY_VERIFY_WITH_TIMEOUT(!m_window->find<QWidget>(u"bandReadOnly"_s)->isVisible(), 20'000);
    QVERIFY(!m_window->find<QLabel>(u"incidentOnlyLooks"_s)->isVisible());
}

/// One way on is the primary, and the header does not offer it once more.
void IncidentPageTest::withoutATableThePageLeadsOn()
{
    m_window = std::make_unique<WindowFixture>(m_fixture->cluster());
    m_window->connectAs(u"op"_s, u"postgres"_s);
    QTRY_VERIFY_WITH_TIMEOUT(m_window->connection.targetsLoaded(), 20'000);
    const auto *page = m_window->window->incidentPage();
    const auto *title = page->findChild<QLabel *>(u"emptyStateTitle"_s);
    QTRY_COMPARE(title->text(), u"No idempotency tables in database postgres"_s);
    QCOMPARE(page->findChild<QPushButton *>(u"emptyStateButton"_s)->text(), u"Add table…"_s);
    QVERIFY(!m_window->find<QWidget>(u"addTable"_s)->isVisible());
    auto *second = page->findChild<QPushButton *>(u"emptyStateSecond"_s);
    QVERIFY(second->isVisible());
    second->click();
    QTRY_VERIFY(m_window->window->connectDialog() != nullptr);
}

void IncidentPageTest::withoutTheConsoleSchemaNothingIsQuiet()
{
    run(u"DROP SCHEMA idemdesk CASCADE"_s);
    m_window = std::make_unique<WindowFixture>(m_fixture->cluster());
    m_window->connectAs(u"op"_s, m_fixture->database());
    QTRY_VERIFY_WITH_TIMEOUT(m_window->connection.targetsLoaded(), 20'000);
    const auto profile = sql::profileFromJson(tableProfile(), u"test"_s);
    m_window->connection.addProfile(*profile, models::TargetSource::File, {}, true);
    QTRY_VERIFY_WITH_TIMEOUT(m_window->connection.target(u"k2"_s) != nullptr, 20'000);
    QTRY_VERIFY_WITH_TIMEOUT(m_window->window->incidentPage()->complete(), 20'000);
    QTRY_COMPARE(tile(u"stuck"_s)->tile().figure, u"7"_s);
    QCOMPARE(tile(u"conflicts"_s)->tile().figure, QString());
    QCOMPARE(tile(u"conflicts"_s)->tile().word, u"Not looked at"_s);
    QCOMPARE(tile(u"alerts"_s)->tile().word, u"Not looked at"_s);
    const auto *actions = m_window->find<QListView>(u"incidentActions"_s)->model();
    QTRY_VERIFY2(actions->index(0, 0).data().toString().contains(u"not installed"_s),
        qPrintable(actions->index(0, 0).data().toString()));
}

QTEST_MAIN(IncidentPageTest)
#include "tst_incident_page.moc"
