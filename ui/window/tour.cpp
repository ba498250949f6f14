// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/tour.h"

#include "models/casefile/case_controller.h"
#include "models/complaint/complaint_controller.h"
#include "models/connection/connection_controller.h"
#include "models/overview/overview_controller.h"
#include "models/overview/overview_model.h"
#include "models/settings.h"
#include "models/triage/triage_controller.h"
#include "models/workspace/workspace.h"
#include "ui/pages/complaints/complaints_page.h"
#include "ui/pages/keys/detail_pane.h"
#include "ui/pages/keys/keys_page.h"
#include "ui/pages/page.h"
#include "ui/pages/recovery/recovery_page.h"
#include "ui/theme/console_style.h"
#include "ui/theme/surfaces.h"
#include "ui/theme/theme.h"
#include "ui/widgets/command_list.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/window/main_window.h"
#include "ui/window/rail.h"

#include <QAbstractItemView>
#include <QAction>
#include <QEvent>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMenu>
#include <QMenuBar>
#include <QPainter>
#include <QPushButton>
#include <QShortcut>
#include <QStackedWidget>
#include <QTableView>
#include <algorithm>
#include <array>
#include <optional>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

constexpr int kTourCardWidth = 92 * kGrid;
constexpr int kTourGap = 2 * kGrid; // between what is pointed at, the ring and the card

constexpr int kLookAgainMs = 100;
constexpr int kMostLooks = 200; // then the step has nothing to point at
constexpr double kRowsWeight = 0.25; // of a list's rows: there are others like those that are hidden
constexpr int kRingedRows = 8; // of a list: the others are like them, and the card has room below
constexpr double kShadePart = 0.55; // of the ground's colour over what the step is not about
constexpr double kButtonWeight = 4; // what a person would press next is not hidden

struct TourStep {
    const char16_t *page;
    const char16_t *widget; ///< what to point at; the first of that name that is seen
    const char *title;
    const char *text;
    bool behind = false; ///< it may stand behind an answer, and comes to the front for this step
    const char16_t *command = nullptr; ///< point at the menu that has it, instead of a widget
    const char16_t *also = nullptr; ///< a further widget that does not step back
};

constexpr std::array kTourSteps {
    TourStep { u"incident", u"tileRow", QT_TRANSLATE_NOOP("idemdesk::ui::Tour", "What needs a person"),
        QT_TRANSLATE_NOOP("idemdesk::ui::Tour",
            "These numbers say what is wrong right now. A click on one of them opens its keys.") },
    TourStep { u"keys", u"filterBar", QT_TRANSLATE_NOOP("idemdesk::ui::Tour", "Find keys"),
        QT_TRANSLATE_NOOP(
            "idemdesk::ui::Tour", "Each row below is one key. Type state:stuck attempts>=3 here, or click a chip.") },
    TourStep { u"keys", u"detailPane", QT_TRANSLATE_NOOP("idemdesk::ui::Tour", "The story of one key"),
        QT_TRANSLATE_NOOP("idemdesk::ui::Tour",
            "What happened to the selected key, in order. Its other tabs show the record, payloads and effects.") },
    TourStep { u"recovery", u"recoveryTable", QT_TRANSLATE_NOOP("idemdesk::ui::Tour", "Free stuck keys"),
        QT_TRANSLATE_NOOP("idemdesk::ui::Tour",
            "Tick keys here. That enables Recover… at the bottom right, which first shows what would change."),
        false, nullptr, u"recoveryGo" },
    TourStep { u"complaints", u"complaintForm", QT_TRANSLATE_NOOP("idemdesk::ui::Tour", "Answer a complaint"),
        QT_TRANSLATE_NOOP("idemdesk::ui::Tour",
            "“I was charged twice.” Enter what the customer knows, and get a verdict with its facts."),
        true },
    TourStep { u"incident", u"", QT_TRANSLATE_NOOP("idemdesk::ui::Tour", "Help is near"),
        QT_TRANSLATE_NOOP("idemdesk::ui::Tour",
            "This menu, or F1, explains the page in front. Shift+F1 explains the field you are in."),
        false, u"help.page" },
};

/// The menu of the bar that offers the command; null: none does.
QAction *menuWith(const MainWindow *window, const QString &command)
{
    const Command *wanted = window->commands()->find(command);
    const QList<QAction *> menus = window->menuBar()->actions();
    const auto has = std::find_if(menus.cbegin(), menus.cend(), [wanted](const QAction *action) {
        return wanted != nullptr && action->menu() != nullptr && action->menu()->actions().contains(wanted->action);
    });
    return has == menus.cend() ? nullptr : *has;
}

/// Of the page in front, in the list of pages; null: it has none.
const QWidget *currentButton(const MainWindow *window)
{
    const QList<RailButton *> buttons = window->findChildren<RailButton *>();
    const auto current = std::find_if(buttons.cbegin(), buttons.cend(),
        [](const RailButton *button) { return button->isVisible() && button->isChecked(); });
    return current == buttons.cend() ? nullptr : *current;
}

/// The rows that the ring is around, whole: headings are higher than others.
int ringedHeight(const QTableView *table)
{
    const QHeaderView *rows = table->verticalHeader();
    const int first = rows->visualIndexAt(0);
    const int last = std::min(first + kRingedRows, rows->count()) - 1;
    const int row = first < 0 || last < 0 ? -1 : rows->logicalIndex(last);
    return row < 0 ? kRingedRows * rows->defaultSectionSize()
                   : rows->sectionViewportPosition(row) + rows->sectionSize(row);
}

QString noneText()
{
    return Tour::tr(
        "No key can be freed right now. When one can, tick it here and press Recover… at the bottom right.");
}

QString recoveryPageId()
{
    return u"recovery"_s;
}

QString tourSettingsKey()
{
    return u"tour/closed"_s;
}

} // namespace

Tour::Tour(MainWindow *window, models::Settings *settings)
    : QObject(window)
    , m_window(window)
    , m_settings(settings)
    , m_shade(new TourShade(window))
    , m_ring(new TourRing(window))
    , m_card(new TourCard(window))
{
    setObjectName(u"tour"_s);
    connect(m_card, &TourCard::nextClicked, this, &Tour::next);
    connect(m_card, &TourCard::backClicked, this, &Tour::back);
    connect(m_card, &TourCard::closeClicked, this, &Tour::close);
    window->installEventFilter(this);
    m_later.setSingleShot(true);
    m_later.setInterval(kLookAgainMs);
    connect(&m_later, &QTimer::timeout, this, &Tour::aim);
}

void Tour::offer(MainWindow *window, models::ConnectionController *connection, models::Settings *settings)
{
    if (!settings->layout(tourSettingsKey()).isEmpty()) {
        return;
    }
    connect(
        connection, &models::ConnectionController::stateChanged, window,
        [window, connection, settings] {
            const bool again = !settings->layout(tourSettingsKey()).isEmpty()
                || window->findChild<Tour *>(u"tour"_s, Qt::FindDirectChildrenOnly) != nullptr;
            if (connection->state() == sql::LinkState::Connected && !again) {
                begin(window, settings);
            }
        },
        Qt::QueuedConnection); // the window itself follows first
}

Tour *Tour::begin(MainWindow *window, models::Settings *settings)
{
    if (auto *before = window->findChild<Tour *>(u"tour"_s, Qt::FindDirectChildrenOnly)) {
        before->close();
    }
    auto *tour = new Tour(window, settings);
    tour->show(0);
    return tour;
}

int Tour::stepCount()
{
    return static_cast<int>(kTourSteps.size());
}

void Tour::next()
{
    if (m_step + 1 < stepCount()) {
        show(m_step + 1);
    } else {
        close();
    }
}

void Tour::back()
{
    show(std::max(m_step - 1, 0));
}

void Tour::close()
{
    m_settings->setLayout(tourSettingsKey(), "1");
    foldBack();
    if (m_target != nullptr) {
        m_target->removeEventFilter(this);
    }
    m_later.stop();
    setObjectName({}); // another one may begin at once
    m_window->removeEventFilter(this);
    m_card->hide();
    m_ring->hide();
    m_shade->hide();
    m_shade->deleteLater();
    m_card->deleteLater();
    m_ring->deleteLater();
    deleteLater();
}

void Tour::show(int step)
{
    m_step = step;
    m_looked = 0;
    m_placedBeside = {};
    foldBack();
    const TourStep &now = kTourSteps.at(static_cast<size_t>(step));
    if (m_target != nullptr) {
        m_target->removeEventFilter(this);
    }
    m_target = nullptr;
    const QString before = m_window->currentPage();
    m_window->showPage(QString::fromUtf16(now.page));
    if (m_window->currentPage() == u"keys") {
        if (before != m_window->currentPage() && m_window->keysPage()->table()->model()->rowCount() > 0) {
            m_window->keysPage()->refresh(); // else list, strip and pane would tell of three times
        } // the pane beside the list shows what is selected
        if (!m_window->keysPage()->table()->currentIndex().isValid()) {
            m_window->keysPage()->selectRow(0);
        }
        m_window->keysPage()->detailPane()->showTab(u"story"_s);
    }
    m_untried.clear();
    m_sought = m_window->currentPage() != recoveryPageId();
    if (!m_sought) {
        m_before = m_window->triage()->target().target.profile.name;
        m_untried = tablesToTry();
    }
    m_card->say(tr(now.title), tr(now.text), step, stepCount());
    aim();
}

QStringList Tour::tablesToTry() const
{
    const models::OverviewModel *overview = m_window->workspace()->overview()->model();
    QList<std::pair<qint64, QString>> tables;
    for (const models::TargetEntry &entry : m_window->workspace()->connection()->targets()) {
        const sql::Profile &profile = entry.target.profile;
        if (!entry.registration || profile.name == m_before || !profile.stale || profile.recover.isEmpty()) {
            continue; // nothing can be freed there, whatever it holds
        }
        const models::OverviewEntry *known = overview->row(overview->rowOf(profile.name));
        const bool counted
            = known != nullptr && known->summary && known->summary->stale.kind != sql::RowCount::Kind::Unknown;
        const qint64 stuck = counted ? known->summary->stale.rows : 0;
        if (stuck > 0 || !counted) {
            tables.append({ stuck, profile.name });
        }
    }
    std::stable_sort(tables.begin(), tables.end(), [](const auto &a, const auto &b) { return a.first > b.first; });
    QStringList names;
    for (const auto &[stuck, name] : std::as_const(tables)) {
        names += name;
    }
    return names;
}

bool Tour::recoveryReady()
{
    models::TriageController *triage = m_window->triage();
    if (m_sought || m_window->currentPage() != recoveryPageId()) {
        return true;
    }
    // What a person's ended choice left is not read unasked; another table may be.
    if (triage->busy() || (!triage->loaded() && !triage->error() && !triage->choiceEnded())) {
        return false;
    }
    const bool chosen = triage->chosenElsewhere() > 0 || !triage->filterText().isEmpty();
    const bool some = triage->model()->mayCount() > 0;
    if (!some && !chosen && !m_untried.isEmpty()) {
        m_window->recoveryPage()->showTarget(m_untried.takeFirst());
        return false;
    }
    m_sought = true;
    if (some) {
        m_card->setText(tr(kTourSteps.at(static_cast<size_t>(m_step)).text));
    } else {
        if (!chosen && triage->target().target.profile.name != m_before && !m_before.isEmpty()) {
            m_window->recoveryPage()->showTarget(m_before);
        }
        m_card->setText(noneText());
    }
    return true;
}

void Tour::unfold(QWidget *target)
{
    for (QWidget *part = target; part != nullptr && part != m_window->page(); part = part->parentWidget()) {
        auto *parts = qobject_cast<QStackedWidget *>(part->parentWidget());
        if (parts != nullptr && parts->indexOf(part) >= 0 && parts->currentWidget() != part) {
            m_unfolded = parts;
            m_folded = parts->currentIndex();
            parts->setCurrentWidget(part);
        }
    }
}

void Tour::foldBack()
{
    // Where something else was asked meanwhile, the answer that stood there is gone.
    if (m_unfolded != nullptr && m_window->workspace()->complaint()->caseController()->file()) {
        m_unfolded->setCurrentIndex(m_folded);
    }
    m_unfolded = nullptr;
}

/// Looks for what the step is about; a page that is still read may not show it yet.
void Tour::aim()
{
    const TourStep &now = kTourSteps.at(static_cast<size_t>(m_step));
    QList<QWidget *> named;
    if (now.command != nullptr) {
        named += m_window->menuBar();
    } else {
        named = m_window->findChildren<QWidget *>(QString::fromUtf16(now.widget));
    }
    const bool ready = recoveryReady();
    if (now.behind && m_unfolded == nullptr && !named.isEmpty()) {
        m_window->complaintsPage()->showForm(); // it is folded where there are matches
        unfold(named.constFirst());
    }
    const auto seen = std::find_if(named.cbegin(), named.cend(), [](const QWidget *one) { return one->isVisible(); });
    if (ready && seen != named.cend()) {
        m_target = *seen;
        m_target->installEventFilter(this);
        m_later.stop();
    } else if (++m_looked < kMostLooks) {
        if (!ready) { // what the step says of the keys is not true yet
            m_card->setText(tr("Looking for keys that can be freed…"));
        }
        m_later.start();
    } else if (!ready) {
        m_card->setText(noneText());
    }
    place();
}

bool Tour::eventFilter(QObject *watched, QEvent *event)
{
    switch (event->type()) {
    case QEvent::KeyPress: // only what nothing in the window took for itself comes here
        if (watched == m_window && static_cast<QKeyEvent *>(event)->matches(QKeySequence::Cancel)) {
            close();
            return true;
        }
        break;
    case QEvent::Resize:
    case QEvent::Move:
    case QEvent::Show:
    case QEvent::Hide:
    case QEvent::LayoutRequest:
        QMetaObject::invokeMethod(this, &Tour::place, Qt::QueuedConnection); // once all have their places
        break;
    default:
        break;
    }
    return QObject::eventFilter(watched, event);
}

double Tour::covered(const QRect &card) const
{
    double pixels = 0;
    for (const QWidget *part : m_window->findChildren<QWidget *>()) {
        if (!part->isVisible() || part->window() != m_window || part == m_ring || part == m_card || part == m_shade
            || m_card->isAncestorOf(part)) {
            continue;
        }
        QRect area(part->mapTo(m_window, QPoint(0, 0)), part->size());
        double weight = qobject_cast<const QAbstractButton *>(part) != nullptr ? kButtonWeight : 1;
        const auto *list = qobject_cast<const QAbstractItemView *>(part->parentWidget());
        if (list != nullptr && list->viewport() == part) {
            const auto *table = qobject_cast<const QTableView *>(list);
            area.setHeight(
                table == nullptr ? area.height() : std::min(area.height(), table->verticalHeader()->length()));
            weight = kRowsWeight;
        } else if (!part->findChildren<QWidget *>(Qt::FindDirectChildrenOnly).isEmpty()) {
            continue; // its parts count
        }
        const QRect hidden = area.intersected(card);
        pixels += weight * hidden.width() * hidden.height();
    }
    return pixels;
}

/// Beside the target, on the first side with room: below, left, right, above; there where it hides least. Where no side
/// has room, in a corner of it.
QPoint Tour::bestPlace(const QRect &target, const QSize &card) const
{
    const QRect window = m_window->rect().adjusted(kTourGap, kTourGap, -kTourGap, -kTourGap);
    const QPoint corner(window.right() - card.width(), window.bottom() - card.height());
    if (target.isEmpty()) {
        return corner;
    }
    const QRect inside = target.adjusted(kTourGap, kTourGap, -kTourGap, -kTourGap);
    const auto across = [&](int y) {
        QList<QPoint> places;
        for (const int x : { target.left(), target.center().x() - card.width() / 2, target.right() - card.width() }) {
            places += { std::clamp(x, window.left(), std::max(window.left(), corner.x())), y };
        }
        return places;
    };
    const auto along = [&](int x) {
        QList<QPoint> places;
        for (const int y : { target.top(), target.center().y() - card.height() / 2, target.bottom() - card.height() }) {
            places += { x, std::clamp(y, window.top(), std::max(window.top(), corner.y())) };
        }
        return places;
    };
    // Which environment this is stands between the menus and the page, and stays to be seen.
    const QWidget *page = m_window->page();
    const int pageTop = page == nullptr ? 0 : page->mapTo(m_window, QPoint(0, 0)).y();
    const QList<QPoint> sides[] = {
        across(std::max(target.bottom() + kTourGap, pageTop)),
        along(target.left() - kTourGap - card.width()),
        along(target.right() + kTourGap),
        across(target.top() - kTourGap - card.height()),
        { { inside.right() - card.width(), inside.bottom() - card.height() },
            { inside.left(), inside.bottom() - card.height() }, { inside.right() - card.width(), inside.top() },
            inside.topLeft() },
    };
    for (const QList<QPoint> &side : sides) {
        std::optional<QPoint> best;
        double least = 0;
        for (const QPoint &place : side) {
            const QRect there(place, card);
            if (const double hidden = covered(there); window.contains(there) && (!best || hidden < least)) {
                best = place;
                least = hidden;
            }
        }
        if (best) {
            return *best;
        }
    }
    return corner;
}

QRect Tour::targetRect() const
{
    if (m_target == nullptr || !m_target->isVisible()) {
        return {};
    }
    QRect part = m_target->rect();
    if (const char16_t *command = kTourSteps.at(static_cast<size_t>(m_step)).command) {
        QAction *menu = menuWith(m_window, QString::fromUtf16(command));
        part = menu == nullptr ? QRect() : m_window->menuBar()->actionGeometry(menu);
    } else if (const auto *table = qobject_cast<const QTableView *>(m_target)) {
        part.setHeight(std::min(part.height(), table->viewport()->y() + ringedHeight(table)));
    }
    if (part.isEmpty()) {
        return {};
    }
    return part.translated(m_target->mapTo(m_window, QPoint(0, 0)))
        .adjusted(-kGrid, -kGrid, kGrid, kGrid)
        .intersected(m_window->rect());
}

/// What else the step speaks of, in the window.
QRect Tour::alsoClear() const
{
    const char16_t *name = kTourSteps.at(static_cast<size_t>(m_step)).also;
    const auto *part = name == nullptr ? nullptr : m_window->findChild<QWidget *>(QString::fromUtf16(name));
    return part == nullptr || !part->isVisible()
        ? QRect()
        : QRect(part->mapTo(m_window, QPoint(0, 0)), part->size()).adjusted(-kGrid, -kGrid, kGrid, kGrid);
}

/// In the window; empty where it is not seen.
QRect Tour::placeOf(const QWidget *part) const
{
    return part == nullptr || !part->isVisible() ? QRect() : QRect(part->mapTo(m_window, QPoint(0, 0)), part->size());
}

/// The ring around the target, the card beside it. The card stays while neither the window nor the target moves: what
/// is read meanwhile does not push it about.
void Tour::place()
{
    m_card->setFixedWidth(kTourCardWidth);
    m_card->adjustSize();
    const QSize size(kTourCardWidth, m_card->heightForWidth(kTourCardWidth));
    m_card->resize(size);
    const QRect target = targetRect();
    m_ring->setVisible(!target.isEmpty());
    m_ring->setGeometry(target);
    // Around what is on the page the page steps back, and of the list of pages the others: which environment this is
    // stays as clear as ever.
    const QWidget *page = m_window->page();
    const bool onPage = page != nullptr && m_target != nullptr && page->isAncestorOf(m_target);
    const bool menu
        = kTourSteps.at(static_cast<size_t>(m_step)).command != nullptr; // above the page, of which none is meant
    const bool shaded = !target.isEmpty() && page != nullptr && (onPage || menu) && !isStrong(themeScheme());
    if (shaded) {
        const QWidget *frame = page->parentWidget();
        const QRect front = placeOf(page).intersected(placeOf(frame));
        const QRect pages = placeOf(m_window->findChild<Rail *>());
        const QRect whole = front.united(pages);
        m_shade->setGeometry(whole);
        m_shade->setClear(
            QRegion(target) + alsoClear() + placeOf(currentButton(m_window)) + (QRegion(whole) - front - pages));
    }
    m_shade->setVisible(shaded);
    if (target.isEmpty() || target != m_placedBeside || m_window->size() != m_placedIn
        || !m_window->rect().contains(QRect(m_place, size))) {
        m_place = bestPlace(target, size);
        m_placedBeside = target;
        m_placedIn = m_window->size();
    }
    m_card->move(m_place);
    m_shade->raise();
    m_ring->raise();
    m_card->raise();
}

TourCard::TourCard(QWidget *window)
    : QWidget(window)
    , m_title(titleLabel({}, this))
    , m_text(wrappedLabel({}, this))
    , m_count(noteLabel({}, u"tourCount"_s, this))
    , m_skip(new QPushButton(tr("Close the &tour"), this))
    , m_back(new QPushButton(tr("&Back"), this))
    , m_next(new QPushButton(this))
{
    setObjectName(u"tourCard"_s);
    setAccessibleName(tr("Tour"));
    m_title->setObjectName(u"tourTitle"_s);
    m_text->setObjectName(u"tourText"_s);
    m_skip->setObjectName(u"tourSkip"_s);
    m_back->setObjectName(u"tourBack"_s);
    m_next->setObjectName(u"tourNext"_s);
    setLook(m_next, ButtonLook::Primary);
    for (QPushButton *button : { m_skip, m_back, m_next }) {
        button->setAutoDefault(true); // Enter presses the one with the focus
    }
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(4 * kGrid, 4 * kGrid, 4 * kGrid, 4 * kGrid);
    column->setSpacing(2 * kGrid);
    column->addWidget(m_title);
    column->addWidget(m_text);
    column->addLayout(barRow({ m_count, nullptr, m_skip, m_back, m_next }));
    connect(m_skip, &QPushButton::clicked, this, &TourCard::closeClicked);
    connect(m_back, &QPushButton::clicked, this, &TourCard::backClicked);
    connect(m_next, &QPushButton::clicked, this, &TourCard::nextClicked);
    auto *escape = new QShortcut(QKeySequence(Qt::Key_Escape), this);
    escape->setContext(Qt::WidgetWithChildrenShortcut);
    connect(escape, &QShortcut::activated, this, &TourCard::closeClicked);
}

void TourCard::say(const QString &title, const QString &text, int step, int steps)
{
    m_title->setText(title);
    setText(text);
    m_count->setText(tr("%1 of %2").arg(step + 1).arg(steps));
    m_back->setVisible(step > 0);
    m_skip->setVisible(step + 1 < steps);
    m_next->setText(step + 1 < steps ? tr("&Next") : tr("&Done"));
    show();
    m_next->setFocus();
}

void TourCard::setText(const QString &text)
{
    m_text->setText(text);
    setAccessibleDescription(text);
}

void TourCard::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    drawPanel(&painter, rect(), themeColor(Token::Raised), themeColor(Token::Accent), kRadius);
}

TourRing::TourRing(QWidget *window)
    : QWidget(window)
{
    setObjectName(u"tourRing"_s);
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
}

void TourRing::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    drawFocusRing(&painter, rect(), kRadius);
}

TourShade::TourShade(QWidget *window)
    : QWidget(window)
{
    setObjectName(u"tourShade"_s);
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
}

void TourShade::setClear(const QRegion &clear)
{
    m_clear = clear.translated(-pos());
    update();
}

void TourShade::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    QColor ground = themeColor(Token::Window);
    ground.setAlphaF(float(kShadePart));
    for (const QRect &part : QRegion(rect()) - m_clear) {
        painter.fillRect(part, ground);
    }
}

} // namespace idemdesk::ui
