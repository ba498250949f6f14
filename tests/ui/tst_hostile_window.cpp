// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/keys/key_detail.h"
#include "models/triage/triage_controller.h"
#include "tests/support/stall_watch.h"
#include "tests/ui/window_fixture.h"
#include "ui/pages/keys/detail_pane.h"
#include "ui/pages/recovery/recovery_page.h"
#include "ui/theme/theme.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QTabWidget>
#include <QTextBlock>
#include <QTreeWidget>

#include <algorithm>

using namespace Qt::StringLiterals;
using namespace idemdesk;

namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr qint64 kStallMs = 200; // every access is checked: about four times slower
#else
constexpr qint64 kStallMs = 50; // the budget, in a debug build too
#endif

} // namespace

/// What a database says is shown and never obeyed; what is too large is shown in part; what would be slow is asked
/// first.
class HostileWindowTest final : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        m_theme = new ui::Theme(qApp);
        m_theme->apply(models::Theme::Dark);
        m_cluster = std::make_unique<tests::TestCluster>();
        m_cluster->psqlFile(u"postgres"_s, u"sql/demo/schema_001.sql"_s);
        m_cluster->psql(u"postgres"_s,
            u"CREATE ROLE reader LOGIN; GRANT pg_read_all_data TO reader;"
            "CREATE FUNCTION pg_temp.add(key text, body jsonb, why text) RETURNS void LANGUAGE sql AS $$"
            " INSERT INTO app.idempotency_request (idempotency_scope, idempotency_key, request_hash, status, "
            "claimed_by, expires_at,"
            " response_body, failure_message) VALUES ('<b>scope</b>', key, '<i>hash</i>', 'failed_final', '<a "
            "href=x>owner</a>',"
            " now() + interval '1 day', body, why) $$;"
            "SELECT pg_temp.add('<img src=\"/dev/zero\">', '{\"<img src=x>\": \"<script>\"}', '<img src=\"/dev/zero\"> "
            "failed');"
            "SELECT pg_temp.add(E'two\\nlines\\u202E and \\u200B more', '[]', NULL);"
            "SELECT pg_temp.add(repeat('long-', 2000), NULL, repeat('x', 100000));"
            "SELECT pg_temp.add('big-body', to_jsonb(repeat('0123456789', 200000)), NULL);"
            "SELECT pg_temp.add('wide-body', (SELECT jsonb_agg(n) FROM generate_series(1, 30000) n), NULL);"
            "ANALYZE"_s);
    }

    void init()
    {
        QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support ).*"_s));
        m_fixture = std::make_unique<tests::WindowFixture>(*m_cluster);
        m_fixture->connectAs(u"reader"_s, u"postgres"_s, sql::Environment::Production);
        QTRY_VERIFY_WITH_TIMEOUT(m_fixture->connection.targetsLoaded(), 20'000);
        m_fixture->window->showPage(u"keys"_s);
        m_fixture->window->keysPage()->showTarget(u"plpgsql-request"_s, {});
        QTRY_VERIFY_WITH_TIMEOUT(m_fixture->calm() && m_fixture->model()->rowCount() == 5, 20'000);
    }

    void cleanup() { m_fixture.reset(); }
    void cleanupTestCase() { m_cluster.reset(); }

    void markupInAKeyIsShownLiterally()
    {
        select(u"<img src=\"/dev/zero\">"_s);
        QCOMPARE(m_fixture->find<QLabel>(u"detailKey"_s)->text(), u"<img src=\"/dev/zero\">"_s);
        const QPixmap picture = m_fixture->window->grab(); // would never return if the file were read
        QVERIFY(!picture.isNull());
        QStringList rich;
        for (const QLabel *label : m_fixture->window->findChildren<QLabel *>()) {
            if (label->textFormat() != Qt::PlainText && label->pixmap().isNull() && !label->text().isEmpty()) {
                rich += label->objectName() + u": "_s + label->text();
            }
        }
        QVERIFY2(rich.isEmpty(), qPrintable(rich.join(u'\n')));
    }

    void controlCharactersShowAsEscapes()
    {
        const int row = select(u"two\nlines"_s);
        const QString cell
            = m_fixture->model()->index(row, m_fixture->model()->columnOf(models::KeyColumn::Key)).data().toString();
        QVERIFY2(
            cell.contains(u"\\n"_s) && cell.contains(u"\\u202E"_s) && cell.contains(u"\\u200B"_s), qPrintable(cell));
        QVERIFY(!m_fixture->find<QLabel>(u"detailKey"_s)->text().contains(QChar(0x202E)));
    }

    void aLongKeyNeitherWidensNorSlows()
    {
        tests::StallWatch watch;
        const int width = m_fixture->window->width();
        select(u"long-long-"_s);
        QCOMPARE(m_fixture->window->width(), width);
        QVERIFY(m_fixture->find<QLabel>(u"detailKey"_s)->text().size() < 100);
        QVERIFY2(watch.longest() <= kStallMs, qPrintable(QString::number(watch.longest())));
    }

    void aHugeBodyIsShownInPartAndCanBeSaved()
    {
        m_fixture->window->keysPage()->detailPane()->showTab(u"json"_s);
        select(u"big-body"_s);
        const QString note = m_fixture->find<QLabel>(u"payloadNote"_s)->text();
        QVERIFY2(note.contains(u"256.0 KiB of 1.9 MiB"_s) || note.contains(u"256 KiB of"_s), qPrintable(note));
        QVERIFY(
            m_fixture->find<QPushButton>(u"payloadSave"_s)->isVisibleTo(m_fixture->find<QWidget>(u"payloadView"_s)));
        auto *text = m_fixture->find<QPlainTextEdit>(u"jsonText"_s);
        QTRY_VERIFY(text->blockCount() > 200);
        for (QTextBlock block = text->document()->begin(); block.isValid(); block = block.next()) {
            QVERIFY(block.length() <= 1'001); // a longer line would take a text view minutes
        }
    }

    void aWideDocumentOpensWithoutAStall()
    {
        m_fixture->window->keysPage()->detailPane()->showTab(u"json"_s);
        select(u"two\nlines"_s);
        tests::StallWatch watch;
        select(u"wide-body"_s);
        const QAbstractItemModel *tree = m_fixture->find<QAbstractItemView>(u"jsonTree"_s)->model();
        QTRY_COMPARE(tree->rowCount(tree->index(0, 0)), 30'000);
        const int lines = m_fixture->find<QPlainTextEdit>(u"jsonText"_s)->blockCount();
        QVERIFY2(lines > 4'000 && lines <= 5'000, qPrintable(QString::number(lines)));
        QVERIFY(m_fixture->find<QLabel>(u"payloadNote"_s)->text().contains(u"5,000"_s));
        QVERIFY2(watch.longest() <= kStallMs, qPrintable(QString::number(watch.longest())));
    }

    void relatedKeysAreFoundByTheirValueAlone()
    {
        select(u"<img"_s);
        auto *related = m_fixture->find<QTreeWidget>(u"relatedView"_s);
        QTreeWidgetItem *links = related->topLevelItem(related->topLevelItemCount() - 1);
        QVERIFY(links->childCount() >= 4);
        emit related->itemActivated(links->child(0), 0);
        QTRY_VERIFY_WITH_TIMEOUT(m_fixture->calm() && m_fixture->model()->rowCount() == 1, 20'000);
        QVERIFY(!m_fixture->find<QLabel>(u"filterError"_s)->isVisible());
    }

    /// What a profile calls things may be any text: a title, a kind of effect, an order, a status, a part of the
    /// scope's alias.
    void namesOfAProfileAreTextAndCut()
    {
        const QString odd = u"<img src=\"/dev/zero\">\x1b[31m\r\n\u202e"_s + QString(400, u'w');
        m_cluster->psql(u"postgres"_s,
            u"CREATE TABLE IF NOT EXISTS app.odd (key text PRIMARY KEY, status text NOT NULL, at timestamptz NOT NULL "
            u"DEFAULT now() - interval '1 hour'); "
            "INSERT INTO app.odd VALUES ('one', E'<b>\\x1b\\r\\n' || repeat('w', 400)), ('two', 'open') ON CONFLICT DO NOTHING"_s);
        sql::Profile profile;
        profile.name = u"odd"_s;
        profile.title = odd;
        profile.relation = u"app.odd"_s;
        profile.identity = QStringList { u"key"_s };
        profile.key.sql = u"t.key"_s;
        profile.roles[sql::Role::Status].sql = u"t.status"_s;
        profile.roles[sql::Role::CreatedAt].sql = u"t.at"_s;
        profile.states = { { u"open"_s, sql::KeyState::InProgress }, { odd, sql::KeyState::Succeeded } };
        sql::TimeRule stale;
        stale.states = { sql::KeyState::InProgress };
        stale.by.sql = u"t.at"_s;
        stale.after = u"1s"_s;
        profile.stale = QList<sql::TimeRule> { stale };
        sql::OrderSpec order;
        order.label = odd;
        order.value.sql = u"t.at"_s;
        profile.orders = { order };
        profile.aliases = { { odd, { .sql = u"t.status"_s } } };
        profile.effects = { { odd, true,
            u"SELECT k.key AS id, NULL::timestamptz AS at, NULL::text AS state FROM app.idempotency_keys k WHERE k.key = t.key"_s,
            {} } };
        sql::PolicySpec policy;
        policy.effect = u"local"_s;
        profile.policies = { policy };
        m_fixture->connection.addProfile(profile, models::TargetSource::File, {}, true);
        QTRY_VERIFY_WITH_TIMEOUT(m_fixture->connection.target(u"odd"_s) != nullptr, 20'000);
        m_fixture->window->keysPage()->showTarget(u"odd"_s, {});
        QTRY_VERIFY_WITH_TIMEOUT(m_fixture->calm() && m_fixture->model()->rowCount() == 2, 20'000);
        select(u"two"_s);
        m_fixture->window->recoveryPage()->showTarget(u"odd"_s);
        QTRY_VERIFY_WITH_TIMEOUT(m_fixture->window->triage()->loaded() && !m_fixture->window->triage()->busy(), 20'000);
        QStringList wrong;
        const auto look = [&wrong](const QString &where, const QString &text) {
            const auto isSign = [](QChar sign) {
                return sign != u'\n'
                    && (sign.category() == QChar::Other_Control || sign.category() == QChar::Other_Format);
            };
            if (std::any_of(text.cbegin(), text.cend(), isSign) || text.contains(QString(380, u'w'))) {
                wrong += where + u": "_s + text.left(200);
            }
        };
        const QStringList pages { u"incident"_s, u"keys"_s, u"recovery"_s, u"purge"_s, u"conflicts"_s, u"trends"_s,
            u"activity"_s, u"health"_s, u"audit"_s };
        for (const QString &page : pages) {
            m_fixture->window->showPage(page);
            QVERIFY(!m_fixture->window->grab().isNull()); // would never return if the file were read
            for (const QLabel *label : m_fixture->window->findChildren<QLabel *>()) {
                look(page + u' ' + label->objectName(), label->text());
                if (label->textFormat() != Qt::PlainText && label->pixmap().isNull() && !label->text().isEmpty()) {
                    wrong += label->objectName() + u" is rich: "_s + label->text().left(80);
                }
            }
            for (const QComboBox *box : m_fixture->window->findChildren<QComboBox *>()) {
                for (int i = 0; i < box->count(); ++i) {
                    look(page + u' ' + box->objectName(), box->itemText(i));
                }
            }
            for (const QAbstractItemView *view : m_fixture->window->findChildren<QAbstractItemView *>()) {
                const QAbstractItemModel *model = view->model();
                for (int column = 0; model != nullptr && column < model->columnCount(); ++column) {
                    look(view->objectName() + u" header"_s, model->headerData(column, Qt::Horizontal).toString());
                    for (int row = 0; row < std::min(model->rowCount(), 50); ++row) {
                        look(view->objectName(), model->index(row, column).data().toString());
                    }
                }
            }
        }
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join(u'\n')));
    }

    void productionIsUnmistakable()
    {
        auto *band = m_fixture->find<QWidget>(u"connectionBand"_s);
        QCOMPARE(m_fixture->find<QLabel>(u"bandEnvironment"_s)->text(), u"PRODUCTION"_s);
        const QColor red = ui::themeColor(ui::Token::EnvironmentProduction);
        QCOMPARE(band->grab().toImage().pixelColor(2, 2), red);
    }

    void aFilterThatReadsTheWholeTableIsAskedFirst()
    {
        // The planner believes these figures; no ten million rows are needed to ask.
        m_cluster->psql(u"postgres"_s,
            u"UPDATE pg_class SET reltuples = 5000000, relpages = 1 WHERE oid = 'app.idempotency_request'::regclass"_s);
        m_fixture->connection.refreshTargets();
        QTRY_VERIFY_WITH_TIMEOUT(!m_fixture->connection.targetsLoading(), 20'000);
        m_fixture->window->browser()->setTarget(m_fixture->connection.target(u"plpgsql-request"_s)->target);
        QTRY_VERIFY_WITH_TIMEOUT(m_fixture->calm() && m_fixture->model()->rowCount() > 0, 20'000);
        auto *filter = m_fixture->find<QLineEdit>(u"filterText"_s);
        auto *cost = m_fixture->find<QWidget>(u"costNotice"_s);
        m_fixture->window->keysPage()->setFilterText(u"owner:nobody"_s);
        QTRY_VERIFY_WITH_TIMEOUT(cost->isVisible(), 20'000);
        const int before = m_fixture->model()->rowCount();
        cost->findChild<QPushButton *>(u"noticeSecondary"_s)->click();
        QVERIFY(!cost->isVisible());
        QCOMPARE(filter->text(), QString());
        QCOMPARE(m_fixture->model()->rowCount(), before);
        m_fixture->window->keysPage()->setFilterText(u"owner:nobody"_s);
        QTRY_VERIFY_WITH_TIMEOUT(cost->isVisible(), 20'000);
        cost->findChild<QPushButton *>(u"noticePrimary"_s)->click();
        QTRY_VERIFY_WITH_TIMEOUT(m_fixture->calm() && m_fixture->model()->rowCount() == 0, 20'000);
        QCOMPARE(m_fixture->window->keysPage()->findChild<QLabel *>(u"emptyStateTitle"_s)->text(), u"No key matches"_s);
        m_cluster->psql(u"postgres"_s, u"ANALYZE app.idempotency_request"_s);
    }

private:
    int rowOf(const QString &begin) const
    {
        for (int row = 0; row < m_fixture->model()->rowCount(); ++row) {
            if (const auto record = m_fixture->model()->record(row); record && record->key.text.startsWith(begin)) {
                return row;
            }
        }
        return -1;
    }

    int select(const QString &begin)
    {
        const int row = rowOf(begin);
        if (row < 0) {
            qFatal("There is no key %s.", qPrintable(begin));
        }
        m_fixture->window->keysPage()->selectRow(row);
        const bool ready = QTest::qWaitFor(
            [this, &begin] {
                return m_fixture->window->detail()->status() == models::KeyDetailController::Status::Ready
                    && m_fixture->window->detail()->detail().record.key.text.startsWith(begin);
            },
            20'000);
        if (!ready) {
            qFatal("The detail of %s did not come.", qPrintable(begin));
        }
        return row;
    }

    ui::Theme *m_theme = nullptr;
    std::unique_ptr<tests::TestCluster> m_cluster;
    std::unique_ptr<tests::WindowFixture> m_fixture;
};

QTEST_MAIN(HostileWindowTest)
#include "tst_hostile_window.moc"
