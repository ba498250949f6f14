// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/tour.h"

#include "models/connection/connection_controller.h"
#include "models/settings.h"
#include "ui/pages/keys/detail_pane.h"
#include "ui/pages/keys/keys_page.h"
#include "ui/theme/console_style.h"
#include "ui/theme/surfaces.h"
#include "ui/theme/theme.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/window/main_window.h"

#include <QEvent>
#include <QPainter>
#include <QPushButton>
#include <QShortcut>
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

struct TourStep {
    const char16_t *page;
    const char16_t *widget; ///< what to point at; the first of that name that is seen
    const char *title;
    const char *text;
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
            "“I was charged twice.” Enter what the customer knows, and get a verdict with its facts.") },
    TourStep { u"incident", u"rail", QT_TRANSLATE_NOOP("idemdesk::ui::Tour", "Help is near"),
        QT_TRANSLATE_NOOP("idemdesk::ui::Tour",
            "F1 explains the page in front, Shift+F1 the field you are in. Everything here is a demo: try it.") },
};

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
    m_card->say(tr(now.title), tr(now.text), step, stepCount());
    aim();
}

/// Looks for what the step is about; a page that is still read may not show it yet.
void Tour::aim()
{
    const TourStep &now = kTourSteps.at(static_cast<size_t>(m_step));
    const QList<QWidget *> named = m_window->findChildren<QWidget *>(QString::fromUtf16(now.widget));
    const auto seen = std::find_if(named.cbegin(), named.cend(), [](const QWidget *one) { return one->isVisible(); });
    if (seen != named.cend()) {
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

/// The ring around the target, the card where there is room: below it, above, beside it, else inside at the bottom.
void Tour::place()
{
    const QRect window = m_window->rect().adjusted(kTourGap, kTourGap, -kTourGap, -kTourGap);
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
    QPoint at(window.right() - size.width(), window.bottom() - size.height());
    if (!target.isEmpty()) {
        const int x = std::clamp(target.left(), window.left(), window.right() - size.width());
        const int y = std::clamp(target.top(), window.top(), window.bottom() - size.height());
        const std::array places { QPoint(x, target.bottom() + kTourGap),
            QPoint(x, target.top() - kTourGap - size.height()), QPoint(target.left() - kTourGap - size.width(), y),
            QPoint(target.right() + kTourGap, y) };
        const auto free = std::find_if(places.begin(), places.end(),
            [&window, &size](const QPoint &place) { return window.contains(QRect(place, size)); });
        if (free != places.end()) {
            at = *free;
        }
    }
    m_card->move(at);
    m_ring->raise();
    m_card->raise();
}

TourCard::TourCard(QWidget *window)
    : QWidget(window)
    , m_title(titleLabel({}, this))
    , m_text(wrappedLabel({}, this))
    , m_count(noteLabel({}, u"tourCount"_s, this))
    , m_skip(new QPushButton(tr("&Skip the tour"), this))
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
    m_text->setText(text);
    m_count->setText(tr("%1 of %2").arg(step + 1).arg(steps));
    setAccessibleDescription(text);
    m_back->setVisible(step > 0);
    m_skip->setVisible(step + 1 < steps);
    m_next->setText(step + 1 < steps ? tr("&Next") : tr("&Done"));
    show();
    m_next->setFocus();
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
