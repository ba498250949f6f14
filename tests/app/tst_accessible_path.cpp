// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/accessible_tree.h"
#include "tests/support/program_run.h"
#include "tests/support/test_cluster.h"

#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>

using namespace Qt::StringLiterals;
using namespace idemdesk::tests;

namespace {

// X11's names of keys.
constexpr int kSpace = 0x0020;
constexpr int kTab = 0xff09;
constexpr int kReturn = 0xff0d;
constexpr int kDown = 0xff54;

} // namespace

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
    /// There is no window manager that would make the window the active one: a press of the pointer does.
    void activate(const QString &page) { m_tree->click(await(u"check box"_s, page)); }
    /// The name of what has the keyboard.
    QString focused() const
    {
        for (const Item &item : m_tree->shown(m_program)) {
            // Qt says of a chosen tab that it has the focus, wherever the focus is.
            if (item.was(AccessibleTree::Focused) && m_tree->role(item) != u"page tab"_s) {
                return item.name;
            }
        }
        return {};
    }
    static std::function<bool(const QString &)> beginsWith(const QString &text)
    {
        return [text](const QString &name) { return name.startsWith(text); };
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

void AccessiblePathTest::theKeyboardGoesThroughAFormInItsOrder()
{
    activate(u"Complaints"_s);
    QVERIFY(m_tree->focus(await(u"text"_s, u"Customer"_s)));
    QTRY_COMPARE_WITH_TIMEOUT(focused(), u"Customer"_s, 20'000);
    // A chooser is named by its value, as Qt has it there; what it chooses is its description.
    for (const QString &next :
        { u"Order or payment"_s, u"Amount"_s, u"Around"_s, u"± 1 hour"_s, u"Text"_s, u"Key"_s, u"Find"_s }) {
        m_tree->key(kTab);
        QTRY_COMPARE_WITH_TIMEOUT(focused(), next, 20'000);
    }
    QCOMPARE(m_tree->description(await(u"combo box"_s, u"± 1 hour"_s)), u"How far around that time"_s);
}

/// From the question to the file in hand, by what a screen reader says and a keyboard does.
void AccessiblePathTest::aComplaintLeadsToItsCaseFile()
{
    activate(u"Complaints"_s);
    QVERIFY(m_tree->write(await(u"text"_s, u"Text"_s), u"amount"_s)); // several requests have it
    const Item find = await(u"push button"_s, u"Find"_s);
    QVERIFY(m_tree->press(find));

    // The matches are a table: each cell has its text, and its column a title.
    const Item matches = await(u"table"_s, u"Requests that may be meant"_s);
    QVERIFY(!matches.path.isEmpty());
    QTRY_COMPARE_WITH_TIMEOUT(m_tree->rows(matches), 9, 20'000);
    QHash<QString, QString> second; // what stands in the second row
    for (int column = 0; column < m_tree->columns(matches); ++column) {
        second.insert(m_tree->columnTitle(matches, column), m_tree->name(m_tree->cell(matches, 1, column)));
    }
    QCOMPARE(second.value(u"Key"_s), u"pay-2"_s);
    QCOMPARE(second.value(u"Amount"_s), u"20"_s);
    QCOMPARE(second.value(u"State"_s), u"Succeeded"_s);
    QVERIFY(second.contains(u"Began"_s) && second.contains(u"Match"_s));

    // The form is one line now: what was asked, and the way back to it.
    QVERIFY(!await(u"push button"_s, u"Text: amount"_s).path.isEmpty());
    QVERIFY(m_tree->focus(await(u"push button"_s, u"Edit search"_s)));
    for (int stops = 0; stops < 4 && focused() != m_tree->name(matches); ++stops) {
        m_tree->key(kTab);
    }
    QTRY_COMPARE_WITH_TIMEOUT(focused(), m_tree->name(matches), 20'000);
    m_tree->key(kDown);
    m_tree->key(kSpace); // picks the second row
    QVERIFY(m_tree->press(await(u"push button"_s, u"Get verdict on 1"_s)));

    // The verdict: how it is, what it follows from, what is open, and the ways to settle that.
    QCOMPARE(m_tree->name(await(u"panel"_s, beginsWith(u"Verdict: "_s))), u"Verdict: Not known, Not proven"_s);
    QVERIFY(!await(u"label"_s, u"Not known"_s).path.isEmpty());
    QVERIFY(!await(u"label"_s, beginsWith(u"Not known: Finding no effect of pay-2 proves nothing"_s)).path.isEmpty());
    QVERIFY(!await(u"label"_s, beginsWith(u"Check the audit log and archives"_s)).path.isEmpty());
    QVERIFY(!await(u"push button"_s, u"Open the audit log"_s).path.isEmpty());
    const Item story = await(u"list"_s, u"Story of the key"_s);
    QStringList events;
    for (const Item &event : m_tree->children(story)) {
        events += m_tree->name(event);
    }
    QVERIFY2(
        events.filter(u"Key first seen, 2 h "_s).size() == 1 && events.filter(u"Claimed by worker-1"_s).size() == 1,
        qPrintable(events.join(u'\n')));

    // The file, by keyboard.
    QVERIFY(m_tree->write(await(u"text"_s, u"Case note"_s), u"Told on the phone"_s));
    QVERIFY(m_tree->focus(await(u"button menu"_s, u"Save case file"_s)));
    QTRY_COMPARE_WITH_TIMEOUT(focused(), u"Save case file"_s, 20'000);
    m_tree->key(kSpace);
    // Qt leaves a menu that pops up out of the tree; it is heard as the focus moves in it. PDF, then HTML.
    m_tree->key(kDown);
    m_tree->key(kDown);
    m_tree->key(kReturn);
    const QString path = m_folder.filePath(u"case.html"_s);
    QVERIFY(m_tree->write(await(u"text"_s, u"File name:"_s), path));
    QVERIFY(m_tree->press(await(u"push button"_s, u"Save"_s)));
    QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(path), 20'000);
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray text = file.readAll();
    QVERIFY(text.contains("pay-2") && text.contains("Told on the phone"));
    QVERIFY(!await(u"label"_s, [&path](const QString &name) { return name.contains(path); }).path.isEmpty());
}

QTEST_GUILESS_MAIN(AccessiblePathTest)
#include "tst_accessible_path.moc"
