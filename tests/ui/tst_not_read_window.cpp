// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/complaint/complaint_controller.h"
#include "models/health/health_model.h"
#include "models/workspace/workspace.h"
#include "tests/support/registered_table.h"
#include "tests/ui/window_fixture.h"
#include "ui/pages/conflicts/conflicts_page.h"
#include "ui/pages/health/alerts_view.h"
#include "ui/pages/incident/incident_page.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/notice_bar.h"

#include <QLabel>
#include <QLineEdit>
#include <QRegularExpression>
#include <QTabWidget>

using namespace Qt::StringLiterals;
using namespace idemdesk;
using namespace idemdesk::tests;

/// A table that could not be read is never an empty page: the window says which one, and why.
class NotReadWindowTest final : public QObject
{
    Q_OBJECT

    std::unique_ptr<ConsoleFixture> m_fixture;
    std::unique_ptr<WindowFixture> m_window;

    void change(const QString &sql)
    {
        const auto done = m_fixture->root().run(sql);
        QVERIFY2(done.ok(), qPrintable(done.value()));
    }
    void open()
    {
        m_window = std::make_unique<WindowFixture>(m_fixture->cluster());
        QVERIFY(QTest::qWaitForWindowActive(m_window->window.get()));
        m_window->connectAs(u"op"_s, m_fixture->database());
        QTRY_VERIFY_WITH_TIMEOUT(m_window->connection.targetsLoaded(), 20'000);
    }
    /// Everything that is written in a part of the window and can be seen.
    static QString words(const QWidget *part)
    {
        QStringList texts;
        for (const QLabel *label : part->findChildren<QLabel *>()) {
            if (label->isVisible()) {
                texts += label->text();
            }
        }
        return texts.join(u'\n');
    }
    QString complaintWords(const QString &key)
    {
        m_window->window->showPage(u"complaints"_s);
        auto *field = m_window->find<QLineEdit>(u"complaintKey"_s);
        field->setText(key);
        QTest::keyClick(field, Qt::Key_Return);
        [&] {
            QTRY_VERIFY_WITH_TIMEOUT(!m_window->window->workspace()->complaint()->busy()
                    && m_window->window->workspace()->complaint()->answered(),
                20'000);
        }();
        return words(m_window->find<QWidget>(u"complaintsPage"_s));
    }

private slots:
    void initTestCase()
    {
        QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support).*"_s));
        m_fixture = std::make_unique<ConsoleFixture>();
    }
    void cleanupTestCase() { m_fixture.reset(); }
    void init()
    {
        m_fixture->fresh([this] {
            change(uR"(
            INSERT INTO app.k (tenant, key, status) VALUES ('acme', 'pay-1', 'succeeded');
            CREATE TABLE app.other (tenant text, key text, status text NOT NULL, PRIMARY KEY (tenant, key));
            ALTER TABLE app.other OWNER TO app_owner;
            INSERT INTO app.other VALUES ('acme', 'pay-9', 'succeeded');
            GRANT USAGE ON SCHEMA app TO op, adm; GRANT SELECT ON ALL TABLES IN SCHEMA app TO op, adm, idemdesk_runner_app_owner)"_s);
            registerTable(*m_fixture);
            registerTable(*m_fixture,
                R"({"relation": "app.other", "roles": {"status": "t.status"}, "guard": ["status"], "stale": null, "purge": null,
            "effects": [], "actions": {"recover": [], "requeue": []}, "policies": [{"match": {}, "effect": "local"}]})",
                u"other"_s);
            m_fixture->forgetBare();
        });
    }
    void cleanup() { m_window.reset(); }

    void allIsReadAndNothingIsSaid()
    {
        open();
        QVERIFY2(!words(m_window->find<QWidget>(u"incidentPage"_s)).contains(u"could not be read"_s),
            qPrintable(words(m_window->find<QWidget>(u"incidentPage"_s))));
        QVERIFY(complaintWords(u"pay-none"_s).contains(u"No match\n"_s));
    }

    void oneTableOfSeveral_data()
    {
        QTest::addColumn<QString>("before");
        QTest::addColumn<QString>("why");
        QTest::newRow("renamed") << u"ALTER TABLE app.other RENAME TO elsewhere"_s << u"no table or view app.other"_s;
        QTest::newRow("no right") << u"REVOKE SELECT ON app.other FROM op"_s << u"no SELECT right"_s;
    }
    void oneTableOfSeveral()
    {
        QFETCH(QString, before);
        QFETCH(QString, why);
        change(before);
        open();
        const QString overview = words(m_window->find<QWidget>(u"incidentPage"_s));
        QVERIFY2(overview.contains(u"could not be read, so what is in them is not known"_s) && overview.contains(why),
            qPrintable(overview));

        const QString complaint = complaintWords(u"pay-9"_s);
        QVERIFY2(complaint.contains(u"“other” could not be read"_s) && complaint.contains(why), qPrintable(complaint));
        // Of all tables it is not said.
        static const QRegularExpression whole(u"No match(?! in the tables that could be read)"_s);
        QVERIFY2(!complaint.contains(whole), qPrintable(complaint));

        m_window->window->showPage(u"health"_s);
        auto *findings = m_window->find<QTableView>(u"healthTable"_s);
        QTRY_VERIFY_WITH_TIMEOUT(findings->model()->rowCount() > 0, 30'000);
        QStringList unknown;
        for (int row = 0; row < findings->model()->rowCount(); ++row) {
            if (findings->model()->index(row, models::HealthModel::Table).data().toString() == u"other") {
                unknown += findings->model()->index(row, models::HealthModel::Seen).data(Qt::ToolTipRole).toString();
            }
        }
        QVERIFY2(unknown.size() == 1 && unknown.first().contains(why), qPrintable(unknown.join(u'\n')));

        m_window->find<QTabWidget>(u"healthTabs"_s)->setCurrentIndex(1);
        auto *alerts = m_window->window->findChild<ui::AlertsView *>();
        QTRY_VERIFY2(words(alerts).contains(u"none of their alerts is judged"_s) && words(alerts).contains(why),
            qPrintable(words(alerts)));
    }

    void noTableAtAll()
    {
        change(u"REVOKE SELECT ON ALL TABLES IN SCHEMA app FROM op"_s);
        open();
        const QString overview = words(m_window->find<QWidget>(u"incidentPage"_s));
        QVERIFY2(overview.contains(u"No table could be read"_s) && !overview.contains(u"No table yet"_s),
            qPrintable(overview));
        const QString complaint = complaintWords(u"pay-1"_s);
        QVERIFY2(complaint.contains(u"Nothing is known"_s), qPrintable(complaint));
        m_window->window->showPage(u"health"_s);
        QTRY_COMPARE(m_window->find<QTableView>(u"healthTable"_s)->model()->rowCount(), 3); // with a heading
        m_window->window->showPage(u"keys"_s);
        const QString keys = words(m_window->window->keysPage());
        QVERIFY2(keys.contains(u"No table could be read"_s), qPrintable(keys));
    }
};

QTEST_MAIN(NotReadWindowTest)
#include "tst_not_read_window.moc"
