// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/translation/translation.h"
#include "models/actions/action_center.h"
#include "tests/support/registered_table.h"
#include "tests/ui/window_fixture.h"

#include <QAbstractButton>
#include <QAccessible>
#include <QApplication>
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QPlainTextEdit>
#include <QTabBar>
#include <QTableView>

using namespace Qt::StringLiterals;
using namespace idemdesk;
using namespace idemdesk::tests;

namespace {

const QStringList kPages { u"incident"_s, u"keys"_s, u"recovery"_s, u"purge"_s, u"complaints"_s, u"conflicts"_s,
    u"trends"_s, u"activity"_s, u"health"_s, u"audit"_s };

QString nameOf(const QWidget *widget)
{
    QAccessibleInterface *face = QAccessible::queryAccessibleInterface(const_cast<QWidget *>(widget));
    return face == nullptr ? QString() : face->text(QAccessible::Name);
}

QString described(const QWidget *widget)
{
    return QString::fromLatin1(widget->metaObject()->className()) + u' ' + widget->objectName() + u" “"_s
        + nameOf(widget) + u'”';
}

QRect placeOf(const QWidget *widget)
{
    return { widget->mapTo(widget->window(), QPoint()), widget->size() };
}

/// `next` stands before `one` for somebody who reads: above it, or left of it in the same line. What stands in a column
/// further right comes later, wherever it begins.
bool readsBefore(const QRect &next, const QRect &one)
{
    const bool sameLine = next.center().y() >= one.top() && next.center().y() <= one.bottom();
    return sameLine ? next.right() < one.left() : next.bottom() < one.top() && next.left() <= one.right();
}

/// What a text needs and has not; empty where it is whole.
QString cutText(const QWidget *widget)
{
    const auto told = [widget](const QString &text) { return described(widget) + u": "_s + text; };
    if (const auto *label = qobject_cast<const QLabel *>(widget)) {
        const bool wraps = label->wordWrap();
        // One that may be narrow says so: it shows a name from the database, and has it whole as a tool tip.
        const bool mayBe = label->minimumWidth() > 0 && !wraps;
        const int needed = wraps ? label->heightForWidth(label->width()) : label->sizeHint().width();
        return !mayBe && !label->text().isEmpty() && needed > (wraps ? label->height() : label->width())
            ? told(label->text())
            : QString();
    }
    if (const auto *button = qobject_cast<const QAbstractButton *>(widget)) {
        return !button->text().isEmpty() && button->sizeHint().width() > button->width() ? told(button->text())
                                                                                         : QString();
    }
    if (const auto *tabs = qobject_cast<const QTabBar *>(widget)) {
        for (int tab = 0; tab < tabs->count(); ++tab) {
            if (tabs->tabRect(tab).width() < tabs->fontMetrics().horizontalAdvance(tabs->tabText(tab))) {
                return told(tabs->tabText(tab));
            }
        }
    }
    if (const auto *header = qobject_cast<const QHeaderView *>(widget);
        header != nullptr && header->orientation() == Qt::Horizontal && header->model() != nullptr) {
        for (int section = 0; section < header->count(); ++section) {
            const QString title = header->model()->headerData(section, Qt::Horizontal).toString();
            if (!header->isSectionHidden(section)
                && header->sectionSize(section) < header->fontMetrics().horizontalAdvance(title)) {
                return told(title);
            }
        }
    }
    return {};
}

} // namespace

/// The window for who reads it by keyboard and by ear, and whole for who reads it by eye.
class ReadingWindowTest final : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void cleanupTestCase()
    {
        m_window.reset();
        m_fixture.reset();
    }
    void tabGoesThroughThePageInReadingOrder_data();
    void tabGoesThroughThePageInReadingOrder();
    void noTextIsCut_data();
    void noTextIsCut();
    void whatIsPaintedSaysWhatItIs();

private:
    void show(const QString &page);

    std::unique_ptr<ConsoleFixture> m_fixture;
    std::unique_ptr<WindowFixture> m_window;
    RegisteredTable m_table;
};

void ReadingWindowTest::initTestCase()
{
    app::installTranslations();
    m_fixture = std::make_unique<ConsoleFixture>();
    m_fixture->fresh([this] {
        m_fixture->cluster().psql(m_fixture->database(),
            u"GRANT USAGE ON SCHEMA app TO adm, viewer; GRANT SELECT ON app.k, app.eff TO adm, viewer, op, op2"_s);
        m_fixture->as(u"adm"_s)->run(u"SELECT idemdesk.unregister_target('k')"_s);
        // Its keys have a beginning, so that they are shown over time.
        m_table = registerTable(*m_fixture, R"({"roles": {"status": "t.status", "attempts": "t.attempts",
            "lease_until": "t.locked_until", "created_at": "t.updated_at", "expires_at": "t.expires_at"}})");
    });
    m_window = std::make_unique<WindowFixture>(m_fixture->cluster());
    QVERIFY(QTest::qWaitForWindowActive(m_window->window.get()));
    m_window->connectAs(u"op"_s, m_fixture->database());
    QTRY_VERIFY_WITH_TIMEOUT(m_window->connection.targetsLoaded(), 20'000);
    QTRY_VERIFY_WITH_TIMEOUT(m_window->window->actions()->statusKnown(), 20'000);
}

/// Until nothing is under way that would still change what is there.
void ReadingWindowTest::show(const QString &page)
{
    m_window->window->showPage(page);
    QList<QRect> before;
    QTRY_VERIFY_WITH_TIMEOUT(
        [&] {
            QList<QRect> now;
            for (const QWidget *widget : m_window->window->findChildren<QWidget *>()) {
                if (widget->isVisible()) {
                    now += placeOf(widget);
                }
            }
            return now == std::exchange(before, now) && m_window->calm();
        }(),
        20'000);
}

void ReadingWindowTest::tabGoesThroughThePageInReadingOrder_data()
{
    QTest::addColumn<QString>("page");
    for (const QString &page : kPages) {
        QTest::newRow(qPrintable(page)) << page;
    }
}

void ReadingWindowTest::tabGoesThroughThePageInReadingOrder()
{
    QFETCH(QString, page);
    ui::MainWindow *window = m_window->window.get();
    window->resize(1280, 800);
    show(page);
    const auto reachable = [](const QWidget *widget) {
        return widget->isVisible() && widget->isEnabled() && (widget->focusPolicy() & Qt::TabFocus) != 0
            && widget->focusProxy() == nullptr && qobject_cast<const QLabel *>(widget) == nullptr;
    };
    auto *body = window->page();
    QList<QWidget *> expected;
    for (QWidget *widget : body->findChildren<QWidget *>()) {
        if (reachable(widget)) {
            expected += widget;
        }
    }
    QVERIFY(!expected.isEmpty());
    expected.constFirst()->setFocus(Qt::TabFocusReason);
    QList<QWidget *> seen;
    QStringList wrong;
    const qsizetype most = window->findChildren<QWidget *>().size();
    for (qsizetype step = 0; step < most; ++step) {
        QWidget *now = QApplication::focusWidget();
        if (seen.contains(now)) {
            break;
        }
        if (now == nullptr || !now->isVisible() || nameOf(now).isEmpty()) {
            wrong += u"the focus is on nothing that can be seen and named: "_s
                + (now == nullptr ? QString() : described(now));
            break;
        }
        seen += now;
        QTest::keyClick(now, Qt::Key_Tab);
    }
    if (seen.constFirst() != QApplication::focusWidget()) {
        wrong += u"Tab does not come back to where it began, but to "_s + described(QApplication::focusWidget());
    }
    QList<QWidget *> here; // of the page itself
    std::copy_if(seen.cbegin(), seen.cend(), std::back_inserter(here),
        [body](const QWidget *widget) { return body->isAncestorOf(widget); });
    for (const QWidget *widget : std::as_const(expected)) {
        if (!here.contains(widget)) {
            wrong += u"not reached: "_s + described(widget);
        }
    }
    // It began somewhere in the page: turned to the first one after what is not the page.
    const auto start
        = std::find_if(seen.cbegin(), seen.cend(), [body](const QWidget *w) { return !body->isAncestorOf(w); });
    if (start != seen.cend()) {
        const auto again = std::find_if(start, seen.cend(), [body](const QWidget *w) { return body->isAncestorOf(w); });
        if (again != seen.cend()) {
            std::rotate(here.begin(), here.begin() + here.indexOf(*again), here.end());
        }
    }
    for (qsizetype i = 1; i < here.size(); ++i) {
        if (readsBefore(placeOf(here.at(i)), placeOf(here.at(i - 1)))) {
            wrong += described(here.at(i)) + u" comes after "_s + described(here.at(i - 1));
        }
    }
    QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join(u'\n')));
}

void ReadingWindowTest::noTextIsCut_data()
{
    QTest::addColumn<QString>("page");
    QTest::addColumn<QSize>("size");
    for (const QString &page : kPages) {
        QTest::addRow("%s, usual", qPrintable(page)) << page << QSize(1280, 800);
        QTest::addRow("%s, small", qPrintable(page)) << page << QSize(1024, 700);
    }
}

void ReadingWindowTest::noTextIsCut()
{
    QFETCH(QString, page);
    QFETCH(QSize, size);
    m_window->window->resize(size);
    show(page);
    QStringList cut;
    for (const QWidget *widget : m_window->window->findChildren<QWidget *>()) {
        if (widget->isVisible()) {
            cut += cutText(widget);
        }
    }
    cut.removeAll(QString());
    QVERIFY2(cut.isEmpty(), qPrintable(cut.join(u'\n')));
}

/// A picture has a role, so that its name is not passed over; and what it shows as words.
void ReadingWindowTest::whatIsPaintedSaysWhatItIs()
{
    struct Painted {
        QString page;
        const char *className;
        QAccessible::Role role;
    };
    m_window->window->resize(1600, 1000); // small, the strip above the keys is folded
    for (const auto &[page, className, role] : { Painted { u"keys"_s, "idemdesk::ui::TimeBars", QAccessible::Chart },
             Painted { u"keys"_s, "idemdesk::ui::HeatMap", QAccessible::Chart },
             Painted { u"keys"_s, "idemdesk::ui::StoryScaleView", QAccessible::Graphic },
             Painted { u"keys"_s, "idemdesk::ui::BadgeView", QAccessible::StaticText } }) {
        show(page);
        if (page == u"keys"_s) {
            m_window->table()->selectRow(0);
        }
        const QWidget *found = nullptr;
        const auto isFound = [this, &found, name = className] {
            const auto all = m_window->window->findChildren<QWidget *>();
            const auto at = std::find_if(all.cbegin(), all.cend(),
                [name](const QWidget *widget) { return widget->isVisible() && widget->inherits(name); });
            found = at == all.cend() ? nullptr : *at;
            return found != nullptr;
        };
        QTRY_VERIFY2_WITH_TIMEOUT(isFound(), className, 20'000);
        QAccessibleInterface *face = QAccessible::queryAccessibleInterface(const_cast<QWidget *>(found));
        QVERIFY2(face != nullptr && face->role() == role, className);
        QVERIFY2(!face->text(QAccessible::Name).isEmpty(), className);
        if (role != QAccessible::StaticText) {
            QVERIFY2(!face->text(QAccessible::Description).isEmpty(), className);
        }
    }
    auto *combo = m_window->window->keysPage()->findChild<QComboBox *>();
    QVERIFY(QAccessible::queryAccessibleInterface(combo)
                ->text(QAccessible::Description)
                .startsWith(combo->accessibleName()));
}

QTEST_MAIN(ReadingWindowTest)
#include "tst_reading_window.moc"
