// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/accessible_tree.h"
#include "tests/support/program_run.h"
#include "tests/support/test_cluster.h"

#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

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
    void theKeyboardGoesThroughAFormInItsOrder();
    void aComplaintLeadsToItsCaseFile();

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
    void goTo(const QString &page)
    {
        const Item button = await(u"check box"_s, page);
        QVERIFY2(!button.path.isEmpty(), qPrintable(page));
        QVERIFY(m_tree->press(button));
        QVERIFY2(!await(u"label"_s, page).path.isEmpty(), qPrintable(page)); // its title
    }
    QString focused() const
    {
        for (const Item &item : m_tree->shown(m_program)) {
            if (m_tree->is(item, AccessibleTree::Focused) && m_tree->role(item) != u"frame"_s) {
                return m_tree->name(item);
            }
        }
        return {};
    }

    std::unique_ptr<TestCluster> m_cluster;
    std::unique_ptr<AccessibleTree> m_tree;
    QTemporaryDir m_folder;
    QProcess m_window;
    Item m_program;
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
    m_window.setProcessEnvironment(privateEnvironment(m_folder.path()));
    m_window.setProcessChannelMode(QProcess::ForwardedChannels);
    m_window.start(QStringLiteral(IDEMDESK), { u"--connect"_s, m_cluster->conninfoAs(u"support"_s) });
    QVERIFY(m_window.waitForStarted());
    m_tree = std::make_unique<AccessibleTree>();
    QVERIFY(m_tree->valid());
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
        goTo(page);
        for (const Item &item : m_tree->shown(m_program)) {
            if (m_tree->is(item, AccessibleTree::Focusable) && m_tree->name(item).isEmpty()) {
                const QString role = m_tree->role(item);
                // An empty cell has nothing to say; its heading does.
                if (!role.endsWith(u"cell"_s) && role != u"table column header"_s) {
                    nameless += page + u": "_s + role;
                }
            }
        }
    }
    QCOMPARE(nameless.join(u'\n'), QString());
}

void AccessiblePathTest::theKeyboardGoesThroughAFormInItsOrder()
{
    goTo(u"Complaints"_s);
    QVERIFY(m_tree->focus(await(u"text"_s, u"Customer"_s)));
    QTRY_COMPARE_WITH_TIMEOUT(focused(), u"Customer"_s, 20'000);
    // Qt names a chooser by its value where there is a bus.
    for (const QString &next :
        { u"Result"_s, u"Amount"_s, u"Around"_s, u"± 1 hour"_s, u"Text"_s, u"Key"_s, u"Find"_s }) {
        m_tree->key(0xff09); // Tab
        QTRY_COMPARE_WITH_TIMEOUT(focused(), next, 20'000);
    }
}

void AccessiblePathTest::aComplaintLeadsToItsCaseFile()
{
    goTo(u"Complaints"_s);
    QVERIFY(m_tree->write(await(u"text"_s, u"Key"_s), u"pay-5"_s));
    QVERIFY(m_tree->press(await(u"push button"_s, u"Find"_s)));
    // The list is read by its cells.
    const Item list = await(u"table"_s, u"Requests that may be meant"_s);
    QVERIFY(!list.path.isEmpty());
    const Item cell = await(u"table cell"_s, [](const QString &name) { return name.contains(u"pay-5"_s); });
    QVERIFY(!cell.path.isEmpty());
    QVERIFY(m_tree->focus(list));
    m_tree->key(0xff54); // Down: the first row
    m_tree->key(0x0020); // Space picks it
    QVERIFY(m_tree->press(await(u"push button"_s, u"Get verdict on 1"_s)));
    // The verdict says how certain it is, and what it rests on.
    const Item sentence = await(u"label"_s, [](const QString &name) { return name.contains(u"pay-5"_s); });
    QVERIFY(!sentence.path.isEmpty());
    QVERIFY(m_tree->write(await(u"text"_s, u"Case note"_s), u"Told on the phone"_s));
    QVERIFY(m_tree->press(await(u"push button"_s, u"Save case file"_s)));
    QVERIFY(m_tree->press(await(u"menu item"_s, u"For people (HTML)…"_s)));
    const QString file = m_folder.filePath(u"case.html"_s);
    QVERIFY(m_tree->write(await(u"text"_s, u"File name:"_s), file));
    QVERIFY(m_tree->press(await(u"push button"_s, u"Save"_s)));
    QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(file), 20'000);
    QFile written(file);
    QVERIFY(written.open(QIODevice::ReadOnly));
    const QByteArray text = written.readAll();
    QVERIFY(text.contains("pay-5") && text.contains("Told on the phone"));
    QVERIFY(!await(u"label"_s, [&file](const QString &name) { return name.contains(file); }).path.isEmpty());
}

QTEST_GUILESS_MAIN(AccessiblePathTest)
#include "tst_accessible_path.moc"
