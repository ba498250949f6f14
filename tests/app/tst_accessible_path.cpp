// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/accessible_tree.h"
#include "tests/support/program_run.h"
#include "tests/support/test_cluster.h"

#include <QProcess>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>

using namespace Qt::StringLiterals;
using namespace idemdesk::tests;

/// The window as a screen reader has it: by names and roles alone, on a real accessibility bus.
class AccessiblePathTest final : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void cleanupTestCase();
    void everythingThatCanBeReachedHasAName();
    void aComplaintIsAskedByNamesAlone();

private:
    using Item = AccessibleTree::Item;

    /// Waits until it is on the screen; an item without a path where it never came.
    Item await(const QString &role, const QString &name)
    {
        return await(role, [&name](const QString &other) { return other == name; });
    }
    Item await(const QString &role, const std::function<bool(const QString &)> &fits)
    {
        std::optional<Item> found;
        if (!QTest::qWaitFor([&] { return (found = m_tree->find(m_program, role, fits)).has_value(); }, 20'000)) {
            return {};
        }
        return *found;
    }
    /// Gives what is on the screen then.
    QList<Item> goTo(const QString &page)
    {
        if (!m_pages.contains(page)) {
            m_pages.insert(page, await(u"check box"_s, page));
        }
        QList<Item> seen;
        const bool pressed = m_tree->press(m_pages.value(page));
        const bool there = pressed
            && QTest::qWaitFor(
                [&] {
                    seen = m_tree->shown(m_program);
                    return std::count_if(seen.cbegin(), seen.cend(), [&](const Item &item) {
                        return item.name == page;
                    }) > 1;
                },
                20'000); // its button and its title
        return there ? seen : QList<Item>();
    }
    std::unique_ptr<TestCluster> m_cluster;
    std::unique_ptr<AccessibleTree> m_tree;
    QTemporaryDir m_folder;
    QProcess m_window;
    Item m_program;
    QHash<QString, Item> m_pages; ///< their buttons
};

void AccessiblePathTest::initTestCase()
{
    m_cluster = std::make_unique<TestCluster>();
    m_cluster->psqlFile(u"postgres"_s, u"sql/demo/schema_001.sql"_s);
    m_cluster->psql(u"postgres"_s,
        u"CREATE ROLE support LOGIN; GRANT pg_read_all_data TO support;"
        "INSERT INTO app.idempotency_request (idempotency_scope, idempotency_key, request_hash, status, claimed_by, "
        "attempt_count, created_at, expires_at, response_body) SELECT 'refund', 'pay-' || n, md5(n::text), "
        "'succeeded', "
        "'worker-1', 1, now() - n * interval '1 hour', now() + interval '1 day', jsonb_build_object('amount', 10 * n) "
        "FROM generate_series(1, 9) n; ANALYZE"_s);
    // The bus first: a program that meets it while it is still being started stays away from it.
    m_tree = std::make_unique<AccessibleTree>();
    QVERIFY(m_tree->valid());
    m_window.setProcessEnvironment(privateEnvironment(m_folder.path()));
    m_window.setProcessChannelMode(QProcess::ForwardedChannels);
    m_window.start(QStringLiteral(IDEMDESK), { u"--connect"_s, m_cluster->conninfoAs(u"support"_s) });
    QVERIFY(m_window.waitForStarted());
    std::optional<Item> program;
    QTRY_VERIFY_WITH_TIMEOUT((program = m_tree->program(u"idemdesk"_s)).has_value(), 20'000);
    m_program = *program;
    // Connected: the band says so, and the table is there.
    const auto connected = [](const QString &name) { return name.contains(u"postgres on"_s); };
    QVERIFY(!await(u"label"_s, connected).path.isEmpty());
}

void AccessiblePathTest::cleanupTestCase()
{
    m_window.terminate();
    if (!m_window.waitForFinished(10'000)) {
        m_window.kill();
        m_window.waitForFinished(10'000);
    }
    m_cluster.reset();
}

void AccessiblePathTest::everythingThatCanBeReachedHasAName()
{
    QStringList nameless;
    for (const QString &page : { u"Incident"_s, u"Keys"_s, u"Recovery"_s, u"Purge"_s, u"Complaints"_s, u"Conflicts"_s,
             u"Trends"_s, u"Activity"_s, u"Health"_s, u"Audit"_s }) {
        const QList<Item> seen = goTo(page);
        QVERIFY2(!seen.isEmpty(), qPrintable(page));
        for (const Item &item : seen) {
            // An empty cell or text has nothing to say; what stands before it does.
            static const QStringList kSilent { u"label"_s, u"table cell"_s, u"table column header"_s, u"tree item"_s };
            if (item.was(AccessibleTree::Focusable) && item.name.isEmpty() && !kSilent.contains(m_tree->role(item))) {
                nameless += page + u": "_s + m_tree->role(item);
            }
        }
    }
    QCOMPARE(nameless.join(u'\n'), QString());
}

void AccessiblePathTest::aComplaintIsAskedByNamesAlone()
{
    QVERIFY(!goTo(u"Complaints"_s).isEmpty());
    QVERIFY(m_tree->write(await(u"text"_s, u"Text"_s), u"amount"_s)); // several requests have it
    QVERIFY(m_tree->press(await(u"push button"_s, u"Find"_s)));
    QVERIFY(!await(u"table"_s, u"Requests that may be meant"_s).path.isEmpty());
}

QTEST_GUILESS_MAIN(AccessiblePathTest)
#include "tst_accessible_path.moc"
