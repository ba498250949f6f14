// SPDX-License-Identifier: GPL-3.0-or-later
// Releasing a cached claim from the window, and samples of the cache: a real Redis before a registered table.
#include "models/actions/action_center.h"
#include "models/actions/action_runner.h"
#include "models/alerts/alert_controller.h"
#include "models/cache/cache_controller.h"
#include "models/keys/key_detail.h"
#include "models/trends/sampler.h"
#include "models/triage/triage_controller.h"
#include "models/triage/triage_model.h"
#include "tests/support/redis_fixture.h"
#include "tests/support/registered_table.h"
#include "tests/ui/window_fixture.h"
#include "ui/dialogs/action_dialog.h"
#include "ui/pages/recovery/recovery_page.h"

#include <QCheckBox>
#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QTableView>
#include <QTest>
#include <algorithm>

using namespace Qt::StringLiterals;
using namespace idemdesk;
using namespace idemdesk::tests;

namespace {

const QByteArray kCache = R"({"cache": {"key": "idem:{tenant}:{key}", "ttl": "300s",
    "values": {"processing": "in_progress", "completed": "succeeded"}}})";

} // namespace

class ReleaseWindowTest final : public QObject
{
    Q_OBJECT

    std::unique_ptr<ConsoleFixture> m_fixture;
    std::unique_ptr<RedisFixture> m_redis;
    std::unique_ptr<WindowFixture> m_window;

    void open(const QString &login = u"op"_s)
    {
        m_window = std::make_unique<WindowFixture>(m_fixture->cluster());
        QVERIFY(QTest::qWaitForWindowActive(m_window->window.get()));
        m_window->connectAs(login, m_fixture->database());
        QTRY_VERIFY_WITH_TIMEOUT(m_window->connection.targetsLoaded(), 20'000);
        QTRY_VERIFY_WITH_TIMEOUT(m_window->window->actions()->statusKnown(), 20'000);
        m_window->settings.setCacheAddress(m_window->connection.title(), m_redis->url());
    }
    void compare()
    {
        m_window->window->showPage(u"cache"_s);
        QTRY_COMPARE(m_window->window->currentPage(), u"cache"_s);
        m_window->find<QLineEdit>(u"cacheAddress"_s)->setText(m_redis->url());
        QTest::mouseClick(m_window->find<QPushButton>(u"cacheCompare"_s), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(
            m_window->window->cache()->report().has_value() && !m_window->window->cache()->busy(), 20'000);
    }
    void choose(const QString &key)
    {
        auto *table = m_window->find<QTableView>(u"cacheTable"_s);
        for (int row = 0; row < table->model()->rowCount(); ++row) {
            if (table->model()->index(row, models::CacheList::Key).data().toString() == key) {
                table->setCurrentIndex(table->model()->index(row, 0));
                return;
            }
        }
        QFAIL(qPrintable(u"no finding of "_s + key));
    }
    QDialog *dialog() const { return m_window->window->findChild<QDialog *>(u"releaseDialog"_s); }
    bool cached(const QByteArray &key) const { return m_redis->ask({ "EXISTS", "idem:t1:" + key }).trimmed() == "1"; }
    bool listed(const QString &key) const
    {
        const auto &rows = m_window->window->cache()->list()->rows();
        return std::any_of(rows.cbegin(), rows.cend(), [&](const auto &one) { return one.key.text == key; });
    }
    QString outcomes()
    {
        return m_fixture->root().value(u"SELECT coalesce(string_agg(coalesce(outcome, 'not known'), ','), '') FROM "
                                       "idemdesk.cache_release"_s);
    }
    /// Fills the dialog in, and presses its button.
    void confirm()
    {
        QTRY_VERIFY_WITH_TIMEOUT(dialog() != nullptr && dialog()->isVisible(), 20'000);
        auto *go = dialog()->findChild<QPushButton *>(u"releaseGo"_s);
        QVERIFY(!go->isEnabled() && !go->isDefault());
        QVERIFY(dialog()->findChild<QPushButton *>(u"releaseLeave"_s)->isDefault());
        QTest::keyClicks(dialog()->findChild<QLineEdit *>(u"releaseReason"_s), u"the worker died"_s);
        QVERIFY(go->isEnabled());
        QTest::mouseClick(go, Qt::LeftButton);
    }

private slots:
    void initTestCase()
    {
        QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support).*"_s));
        m_fixture = std::make_unique<ConsoleFixture>();
        m_redis = std::make_unique<RedisFixture>();
    }
    void cleanupTestCase()
    {
        m_redis.reset();
        m_fixture.reset();
    }
    void init()
    {
        m_redis->clear();
        m_fixture->fresh([this] {
            m_fixture->cluster().psql(m_fixture->database(),
                u"GRANT USAGE ON SCHEMA app TO adm, viewer; GRANT SELECT ON app.k, app.eff TO adm, op, viewer; "
                "DELETE FROM app.k; INSERT INTO app.k (tenant, key, status, locked_until) VALUES ('t1', 'done', "
                "'succeeded', NULL), ('t1', 'live', 'processing', now() + interval '1 hour')"_s);
            registerTable(*m_fixture, kCache, u"cached"_s);
            m_fixture->forgetBare();
        });
        m_redis->ask({ "SET", "idem:t1:done", "processing", "EX", "200" });
        m_redis->ask({ "SET", "idem:t1:live", "processing", "EX", "9000" });
    }
    void cleanup() { m_window.reset(); }

    void aFindingIsReleasedFromThePage()
    {
        open();
        compare();
        auto *release = m_window->find<QPushButton>(u"cacheRelease"_s);
        choose(u"live"_s); // it lives too long, but its claim is right
        QVERIFY(!release->isEnabled());
        QVERIFY(release->toolTip().contains(u"holds retries off"_s));
        choose(u"done"_s);
        QTRY_VERIFY_WITH_TIMEOUT(release->isEnabled(), 20'000);
        QTest::mouseClick(release, Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(dialog() != nullptr && dialog()->isVisible(), 20'000);
        QTest::keyClick(dialog(), Qt::Key_Escape); // nothing is done
        QTRY_VERIFY(dialog() == nullptr);
        QVERIFY(cached("done"));
        QCOMPARE(outcomes(), QString());
        QTest::mouseClick(release, Qt::LeftButton);
        confirm();
        QTRY_COMPARE_WITH_TIMEOUT(outcomes(), u"deleted"_s, 20'000);
        QVERIFY(!cached("done") && cached("live"));
        const auto *notice = m_window->find<QWidget>(u"cacheNotice"_s);
        QTRY_VERIFY2_WITH_TIMEOUT(notice->accessibleName().startsWith(u"The claim was deleted"_s),
            qPrintable(notice->accessibleName()), 20'000);
        QCOMPARE(ConsoleFixture::verified(m_fixture->root()), u"t"_s);
        // What was released is in the list no more, nor counted.
        QTRY_VERIFY_WITH_TIMEOUT(!listed(u"done"_s), 20'000);
        QVERIFY(listed(u"live"_s) && !release->isEnabled());
        QVERIFY(!m_window->window->cache()->report()->counts.contains(sql::CacheFindingKind::Behind));
    }

    /// Deleted behind the list's back: that is told, and the list forgets it as well.
    void whatIsGoneAlreadyIsTold()
    {
        open();
        compare();
        choose(u"done"_s);
        auto *release = m_window->find<QPushButton>(u"cacheRelease"_s);
        QTRY_VERIFY_WITH_TIMEOUT(release->isEnabled(), 20'000);
        m_redis->ask({ "DEL", "idem:t1:done" });
        QTest::mouseClick(release, Qt::LeftButton);
        confirm();
        QTRY_COMPARE_WITH_TIMEOUT(outcomes(), u"gone"_s, 20'000);
        auto *notice = m_window->find<QWidget>(u"cacheNotice"_s);
        QTRY_VERIFY2_WITH_TIMEOUT(
            notice->accessibleName().contains(u"gone already"_s), qPrintable(notice->accessibleName()), 20'000);
        QTRY_VERIFY_WITH_TIMEOUT(!listed(u"done"_s), 20'000);
        QVERIFY(!release->isEnabled());
        // A cache that is not reached deletes nothing, and that is said.
        m_redis->ask({ "SET", "idem:t1:done", "processing", "EX", "200" });
        compare();
        choose(u"done"_s);
        QTRY_VERIFY_WITH_TIMEOUT(release->isEnabled(), 20'000);
        m_redis->pause();
        QTest::mouseClick(release, Qt::LeftButton);
        confirm();
        QTRY_COMPARE_WITH_TIMEOUT(
            notice->accessibleName(), u"The cache did not release the claim; nothing was deleted."_s, 30'000);
        m_redis->go();
        QVERIFY(cached("done"));
    }

    void aKeyIsReleasedFromItsPane()
    {
        open();
        m_window->window->showPage(u"keys"_s);
        m_window->window->keysPage()->showTarget(u"cached"_s, u"key:done"_s);
        QTRY_VERIFY_WITH_TIMEOUT(m_window->calm() && m_window->model()->rowCount() == 1, 20'000);
        m_window->window->keysPage()->selectRow(0);
        const auto *line = m_window->find<QLabel>(u"detailCached"_s);
        auto *release = m_window->find<QPushButton>(u"detailRelease"_s);
        QTRY_VERIFY_WITH_TIMEOUT(line->text().startsWith(u"Cached as"_s), 20'000);
        QTRY_VERIFY_WITH_TIMEOUT(release->isVisible() && release->isEnabled(), 20'000);
        QTest::mouseClick(release, Qt::LeftButton);
        confirm();
        QTRY_COMPARE_WITH_TIMEOUT(outcomes(), u"deleted"_s, 20'000);
        QTRY_VERIFY_WITH_TIMEOUT(line->text().startsWith(u"Not in the cache"_s), 20'000);
        QTRY_VERIFY_WITH_TIMEOUT(release->isHidden(), 20'000);
        // It stands among what was done to the key, and in its story.
        models::KeyDetailController *detail = m_window->window->detail();
        QTRY_COMPARE_WITH_TIMEOUT(detail->touches()->rowCount(), 1, 20'000);
        QCOMPARE(detail->touches()->index(0, models::TouchesModel::What).data().toString(),
            u"Release in the cache: deleted"_s);
        QCOMPARE(detail->touches()->index(0, models::TouchesModel::Who).data().toString(), u"op"_s);
        const auto told = [detail] {
            const auto &events = detail->story()->events();
            return std::any_of(events.cbegin(), events.cend(),
                [](const models::StoryEvent &event) { return event.title.startsWith(u"Release in the cache by op"); });
        };
        QTRY_VERIFY_WITH_TIMEOUT(told(), 20'000);
    }

    /// How a service calls the entry of a row without a scope is not known: that is said, and nothing is made up.
    void aRowWithoutScopeHasAnEntryThatNobodyKnows()
    {
        m_fixture->cluster().psql(m_fixture->database(), u"ALTER TABLE app.k ADD region text"_s);
        QVERIFY(m_fixture->as(u"adm"_s)->run(u"SELECT idemdesk.unregister_target('cached')"_s).ok());
        QByteArray profile = kCache;
        profile.replace("{\"cache\"", R"({"scope": [{"label": "tenant", "sql": "t.region"}], "cache")");
        registerTable(*m_fixture, profile, u"cached"_s);
        open();
        m_window->window->showPage(u"keys"_s);
        m_window->window->keysPage()->showTarget(u"cached"_s, u"key:done"_s);
        QTRY_VERIFY_WITH_TIMEOUT(m_window->calm() && m_window->model()->rowCount() == 1, 20'000);
        m_window->window->keysPage()->selectRow(0);
        const auto *line = m_window->find<QLabel>(u"detailCached"_s);
        QTRY_VERIFY2_WITH_TIMEOUT(line->text().contains(u"is not known"_s), qPrintable(line->text()), 20'000);
        QVERIFY(line->isVisible() && m_window->find<QPushButton>(u"detailRelease"_s)->isHidden());
        QTRY_VERIFY_WITH_TIMEOUT(m_window->window->detail()->touchesNote().contains(u"cannot be told"_s), 20'000);
    }

    /// Whoever frees a key is told that its claim may still be in the cache.
    void aRecoverySaysWhatIsLeft()
    {
        m_fixture->cluster().psql(m_fixture->database(),
            u"UPDATE app.k SET locked_until = now() - interval '1 hour' WHERE key = 'live'; INSERT INTO app.eff VALUES "
            "('e1', 't1', 'done')"_s); // so that finding none shows something
        open();
        m_window->window->showPage(u"recovery"_s);
        m_window->window->recoveryPage()->showTarget(u"cached"_s);
        QTRY_VERIFY_WITH_TIMEOUT(m_window->window->triage()->loaded(), 20'000);
        models::TriageModel *triage = m_window->window->triage()->model();
        QTRY_COMPARE_WITH_TIMEOUT(triage->rowCount(), 1, 20'000);
        QVERIFY(triage->setData(triage->index(0, 0), Qt::Checked, Qt::CheckStateRole));
        QCOMPARE(triage->checkedCount(), 1);
        auto *go = m_window->find<QPushButton>(u"recoveryGo"_s);
        QTRY_VERIFY2_WITH_TIMEOUT(go->isEnabled(), qPrintable(go->toolTip()), 20'000);
        QTest::mouseClick(go, Qt::LeftButton);
        QDialog *ask = m_window->window->recoveryPage()->dialog();
        QVERIFY(ask != nullptr);
        const auto labels = ask->findChildren<QLabel *>(); // it says so before, too
        QVERIFY(std::any_of(labels.cbegin(), labels.cend(), [](const QLabel *label) {
            return label->isVisible() && label->text().contains(u"Release such claims on the page Cache"_s);
        }));
        QTest::keyClicks(ask->findChild<QLineEdit *>(u"actionReason"_s), u"the worker died"_s);
        QTest::mouseClick(ask->findChild<QPushButton *>(u"actionGo"_s), Qt::LeftButton);
        const auto *strip = m_window->find<QLabel>(u"actionStripText"_s);
        QTRY_VERIFY2_WITH_TIMEOUT(strip->text().contains(u"1 done"_s), qPrintable(strip->text()), 20'000);
        QVERIFY2(strip->text().contains(u"Release such claims on the page Cache"_s), qPrintable(strip->text()));
        // Where nothing was freed, or no cache stands before the table, there is nothing to say.
        models::ActionCenter *actions = m_window->window->actions();
        sql::ActionRecord action = actions->runner()->action();
        QVERIFY(!actions->hintAfter(action).isEmpty());
        action.counts = { { u"changed"_s, 1 } };
        QVERIFY(actions->hintAfter(action).isEmpty());
        action.counts = { { u"done"_s, 1 } };
        action.target = u"another"_s;
        QVERIFY(actions->hintAfter(action).isEmpty());
    }

    /// A claim comes before its row; nothing tells how old one is that lives for ever.
    void aClaimThatWasJustMadeStays()
    {
        m_redis->ask({ "SET", "idem:t1:done", "processing", "EX", "299" });
        open();
        compare();
        choose(u"done"_s);
        auto *release = m_window->find<QPushButton>(u"cacheRelease"_s);
        QTRY_VERIFY_WITH_TIMEOUT(release->isEnabled(), 20'000);
        QTest::mouseClick(release, Qt::LeftButton);
        QVERIFY(dialog() == nullptr);
        const auto told = [this] {
            QStringList texts;
            for (const QLabel *label : m_window->find<QWidget>(u"cacheNotice"_s)->findChildren<QLabel *>()) {
                texts += label->text();
            }
            return texts.join(u' ');
        };
        QTRY_VERIFY2_WITH_TIMEOUT(told().contains(u"under a minute old"_s), qPrintable(told()), 20'000);
        m_redis->ask({ "PERSIST", "idem:t1:done" });
        compare();
        choose(u"done"_s);
        QTRY_VERIFY_WITH_TIMEOUT(release->isEnabled(), 20'000);
        QTest::mouseClick(release, Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(dialog() != nullptr && dialog()->isVisible(), 20'000);
        auto *go = dialog()->findChild<QPushButton *>(u"releaseGo"_s);
        QTest::keyClicks(dialog()->findChild<QLineEdit *>(u"releaseReason"_s), u"the worker died"_s);
        QVERIFY(!go->isEnabled());
        QTest::keyClicks(dialog()->findChild<QLineEdit *>(u"releaseTyped"_s), u"release"_s);
        QTest::mouseClick(go, Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(outcomes(), u"deleted"_s, 20'000);
        QVERIFY(!cached("done"));
        QTRY_VERIFY_WITH_TIMEOUT(!listed(u"done"_s), 20'000);
        // The one before was deleted; this one is refused, and stays in the list.
        m_redis->ask({ "SET", "idem:t1:done", "processing", "EX", "299" });
        compare();
        choose(u"done"_s);
        QTRY_VERIFY_WITH_TIMEOUT(release->isEnabled(), 20'000);
        QTest::mouseClick(release, Qt::LeftButton);
        QTRY_VERIFY2_WITH_TIMEOUT(told().contains(u"under a minute old"_s), qPrintable(told()), 20'000);
        QVERIFY(listed(u"done"_s));
    }

    void whoMayOnlyLookIsToldSo()
    {
        open(u"viewer"_s);
        compare();
        choose(u"done"_s);
        const auto *release = m_window->find<QPushButton>(u"cacheRelease"_s);
        QVERIFY(!release->isEnabled() && !release->toolTip().isEmpty());
    }

    /// A look at the cache follows each sample of its table, where somebody switched that on.
    void theCacheIsSampled()
    {
        open();
        m_window->window->showPage(u"cache"_s);
        const QString taken = u"SELECT string_agg(metric || '=' || value, ',' ORDER BY metric) FROM idemdesk.sample "
                              "WHERE metric IN ('cache_ttl_judged', 'cache_ttl_off', 'cache_crowded')"_s;
        const QString count = u"SELECT count(*) > 0 FROM idemdesk.sample WHERE metric = 'size'"_s;
        QTRY_COMPARE_WITH_TIMEOUT(m_fixture->root().value(count), u"t"_s, 20'000);
        QCOMPARE(m_fixture->root().value(taken), QString()); // nobody switched it on
        auto *sample = m_window->find<QCheckBox>(u"cacheSample"_s);
        QTRY_VERIFY_WITH_TIMEOUT(sample->isEnabled(), 20'000);
        sample->click();
        QVERIFY(m_window->settings.cacheSampled(m_window->connection.title()));
        emit m_window->window->sampler()->sampled(u"cached"_s, 1);
        QTRY_COMPARE_WITH_TIMEOUT(
            m_fixture->root().value(taken), u"cache_crowded=0,cache_ttl_judged=2,cache_ttl_off=1"_s, 20'000);
        // Half of the entries live too long: the alert knows.
        m_window->window->alerts()->refresh();
        const auto state = [this] {
            for (const auto &alert : m_window->window->alerts()->model()->rows()) {
                if (alert.status.rule.id == u"cache_ttl") {
                    return alert.status.value.value_or(-1);
                }
            }
            return -1.0;
        };
        QTRY_COMPARE_WITH_TIMEOUT(state(), 0.5, 20'000);
    }

    void aSilentCacheKeepsNoSampleWaiting()
    {
        open();
        m_window->settings.setCacheSampled(m_window->connection.title(), true);
        m_redis->pause();
        emit m_window->window->sampler()->sampled(u"cached"_s, 1);
        m_window->window->keysPage()->showTarget(u"cached"_s, u"key:done"_s);
        QTRY_VERIFY_WITH_TIMEOUT(m_window->calm() && m_window->model()->rowCount() == 1, 3'000);
        m_redis->go();
    }
};

QTEST_MAIN(ReleaseWindowTest)
#include "tst_release_window.moc"
