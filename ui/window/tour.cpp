// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/tour.h"

#include "models/casefile/case_controller.h"
#include "models/complaint/complaint_controller.h"
#include "models/connection/connection_controller.h"
#include "models/settings.h"
#include "models/triage/triage_controller.h"
#include "models/workspace/workspace.h"
#include "ui/pages/keys/detail_pane.h"
#include "ui/pages/keys/keys_page.h"
#include "ui/pages/page.h"
#include "ui/pages/recovery/recovery_page.h"
#include "ui/theme/console_style.h"
#include "ui/theme/surfaces.h"
#include "ui/theme/theme.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/window/main_window.h"

#include <QAbstractItemView>
#include <QEvent>
#include <QHeaderView>
#include <QKeyEvent>
#include <QPainter>
#include <QPushButton>
#include <QShortcut>
#include <QStackedWidget>
#include <QTableView>
#include <algorithm>
#include <array>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

constexpr int kTourCardWidth = 92 * kGrid;
constexpr int kTourGap = 2 * kGrid; // between what is pointed at, the ring and the card

constexpr int kLookAgainMs = 100;
constexpr int kMostLooks = 200; // then the step has nothing to point at
constexpr double kRowsWeight = 0.25; // of a list's rows: there are others like those that are hidden

struct TourStep {
    const char16_t *page;
    const char16_t *widget; ///< what to point at; the first of that name that is seen
    const char *title;
    const char *text;
    bool behind = false; ///< it may stand behind an answer, and comes to the front for this step
};

constexpr std::array kTourSteps {
    TourStep { u"incident", u"tileRow", QT_TRANSLATE_NOOP("idemdesk::ui::Tour", "What needs a person"),
        QT_TRANSLATE_NOOP("idemdesk::ui::Tour",
            "These numbers say what is wrong right now. A click on one of them opens its keys.") },
    TourStep { u"keys", u"filterBar", QT_TRANSLATE_NOOP("idemdesk::ui::Tour", "Find keys"),
        QT_TRANSLATE_NOOP(
            "idemdesk::ui::Tour", "Each row below is one key. Type state:stale attempts>=3 here, or click a chip.") },
    TourStep { u"keys", u"detailPane", QT_TRANSLATE_NOOP("idemdesk::ui::Tour", "The story of one key"),
        QT_TRANSLATE_NOOP("idemdesk::ui::Tour",
            "What happened to the selected key, in order. Its other tabs show the record, payloads and effects.") },
    TourStep { u"recovery", u"recoveryTable", QT_TRANSLATE_NOOP("idemdesk::ui::Tour", "Free stuck keys"),
        QT_TRANSLATE_NOOP("idemdesk::ui::Tour",
            "Tick keys here and press the button below. First you see what would change; nothing happens before.") },
    TourStep { u"complaints", u"complaintForm", QT_TRANSLATE_NOOP("idemdesk::ui::Tour", "Answer a complaint"),
        QT_TRANSLATE_NOOP("idemdesk::ui::Tour",
            "“I was charged twice.” Enter what the customer knows, and get a verdict with its facts."),
        true },
    TourStep { u"incident", u"rail", QT_TRANSLATE_NOOP("idemdesk::ui::Tour", "Help is near"),
        QT_TRANSLATE_NOOP("idemdesk::ui::Tour",
            "F1 explains the page in front, Shift+F1 the field you are in. Everything here is a demo: try it.") },
};

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
    m_window->showPage(QString::fromUtf16(now.page));
    if (m_window->currentPage() == u"keys") { // the pane beside the list shows what is selected
        if (!m_window->keysPage()->table()->currentIndex().isValid()) {
            m_window->keysPage()->selectRow(0);
        }
        m_window->keysPage()->detailPane()->showTab(u"story"_s);
    }
    m_untried.clear();
    m_sought = m_window->currentPage() != recoveryPageId();
    if (!m_sought) {
        m_before = m_window->triage()->target().target.profile.name;
        for (const models::TargetEntry &entry : m_window->workspace()->connection()->targets()) {
            if (entry.registration && entry.target.profile.name != m_before) {
                m_untried += entry.target.profile.name;
            }
        }
    }
    m_card->say(tr(now.title), tr(now.text), step, stepCount());
    aim();
}

bool Tour::recoveryReady()
{
    models::TriageController *triage = m_window->triage();
    if (m_sought || m_window->currentPage() != recoveryPageId()) {
        return true;
    }
    if (triage->busy() || (!triage->loaded() && !triage->error())) {
        return false;
    }
    const bool chosen = triage->chosenElsewhere() > 0 || !triage->filterText().isEmpty();
    if (triage->model()->mayCount() > 0 || chosen) {
        m_sought = true;
    } else if (!m_untried.isEmpty()) {
        m_window->recoveryPage()->showTarget(m_untried.takeFirst());
        return false;
    } else {
        m_sought = true;
        if (triage->target().target.profile.name != m_before && !m_before.isEmpty()) {
            m_window->recoveryPage()->showTarget(m_before);
        }
        m_card->setText(tr("No key can be freed right now. When one can, tick it here and press the button below."));
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
    const QList<QWidget *> named = m_window->findChildren<QWidget *>(QString::fromUtf16(now.widget));
    const bool ready = recoveryReady();
    if (now.behind && m_unfolded == nullptr && !named.isEmpty()) {
        unfold(named.constFirst());
    }
    const auto seen = std::find_if(named.cbegin(), named.cend(), [](const QWidget *one) { return one->isVisible(); });
    if (ready && seen != named.cend()) {
        m_target = *seen;
        m_target->installEventFilter(this);
        m_later.stop();
    } else if (++m_looked < kMostLooks) {
        m_later.start();
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
        if (!part->isVisible() || part->window() != m_window || part == m_ring || part == m_card
            || m_card->isAncestorOf(part)) {
            continue;
        }
        QRect area(part->mapTo(m_window, QPoint(0, 0)), part->size());
        double weight = 1;
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

/// Close to the target, where it hides least: below it, above, beside it, or in a corner of it.
QPoint Tour::bestPlace(const QRect &target, const QSize &card) const
{
    const QRect window = m_window->rect().adjusted(kTourGap, kTourGap, -kTourGap, -kTourGap);
    if (target.isEmpty()) {
        return { window.right() - card.width(), window.bottom() - card.height() };
    }
    const QRect inside = target.adjusted(kTourGap, kTourGap, -kTourGap, -kTourGap);
    const auto clampedX = [&](int x) { return std::clamp(x, window.left(), window.right() - card.width()); };
    const auto clampedY = [&](int y) { return std::clamp(y, window.top(), window.bottom() - card.height()); };
    QList<QPoint> places;
    for (const int y : { target.bottom() + kTourGap, target.top() - kTourGap - card.height() }) {
        places += { clampedX(target.left()), y };
        places += { clampedX(target.right() - card.width()), y };
    }
    for (const int x : { target.left() - kTourGap - card.width(), target.right() + kTourGap }) {
        places += { x, clampedY(target.top()) };
        places += { x, clampedY(target.center().y() - card.height() / 2) };
        places += { x, clampedY(target.bottom() - card.height()) };
    }
    for (const int y : { inside.bottom() - card.height(), inside.top() }) {
        places += { inside.right() - card.width(), y };
        places += { inside.left(), y };
    }
    QPoint best(window.right() - card.width(), window.bottom() - card.height());
    double least = -1;
    for (const QPoint &place : std::as_const(places)) {
        const double hidden = window.contains(QRect(place, card)) ? covered(QRect(place, card)) : -1;
        if (hidden >= 0 && (least < 0 || hidden < least)) {
            best = place;
            least = hidden;
        }
    }
    return best;
}

/// The ring around the target, the card beside it. The card stays while neither the window nor the target moves: what
/// is read meanwhile does not push it about.
void Tour::place()
{
    m_card->setFixedWidth(kTourCardWidth);
    m_card->adjustSize();
    const QSize size(kTourCardWidth, m_card->heightForWidth(kTourCardWidth));
    m_card->resize(size);
    QRect target;
    if (m_target != nullptr && m_target->isVisible()) {
        target = QRect(m_target->mapTo(m_window, QPoint(0, 0)), m_target->size())
                     .adjusted(-kGrid, -kGrid, kGrid, kGrid)
                     .intersected(m_window->rect());
    }
    m_ring->setVisible(!target.isEmpty());
    m_ring->setGeometry(target);
    if (target.isEmpty() || target != m_placedBeside || m_window->size() != m_placedIn
        || !m_window->rect().contains(QRect(m_place, size))) {
        m_place = bestPlace(target, size);
        m_placedBeside = target;
        m_placedIn = m_window->size();
    }
    m_card->move(m_place);
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

} // namespace idemdesk::ui
