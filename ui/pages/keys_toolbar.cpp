// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/keys_toolbar.h"

#include "models/connection/connection_controller.h"
#include "models/format/display_text.h"
#include "models/keys/key_browser.h"
#include "models/settings.h"
#include "ui/pages/target_chooser.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"
#include "ui/widgets/plain_label.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QToolButton>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

KeysToolbar::KeysToolbar(
    models::ConnectionController *connection, models::KeyBrowserController *browser, models::Settings *settings, QWidget *parent)
    : QWidget(parent)
    , m_connection(connection)
    , m_browser(browser)
    , m_settings(settings)
    , m_targets(new QComboBox(this))
    , m_orders(new QComboBox(this))
    , m_direction(new QToolButton(this))
    , m_refreshEvery(new QComboBox(this))
{
    setObjectName(u"keysToolbar"_s);
    auto *title = plainLabel(tr("Keys"), this);
    title->setFont(Theme::title());
    m_targets->setObjectName(u"targetChooser"_s);
    m_targets->setAccessibleName(tr("Table"));
    setUpTargetChooser(m_targets);
    m_targets->setPlaceholderText(tr("No table"));
    m_orders->setObjectName(u"orderChooser"_s);
    m_orders->setAccessibleName(tr("Order"));
    m_orders->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_direction->setObjectName(u"orderDirection"_s);
    m_direction->setAccessibleName(tr("Turn the order around"));
    m_refreshEvery->setObjectName(u"autoRefresh"_s);
    m_refreshEvery->setAccessibleName(tr("Refresh by itself"));
    fillRefresh();
    auto *orderLabel = plainLabel(tr("Order:"), this);
    orderLabel->setBuddy(m_orders);

    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(2 * kGrid);
    row->addWidget(title);
    row->addWidget(m_targets, 4);
    row->addStretch(1);
    row->addWidget(orderLabel);
    row->addWidget(m_orders);
    row->addWidget(m_direction);
    row->addWidget(m_refreshEvery);
    connect(addButton(u"refreshButton"_s, u"refresh"_s, tr("Refresh (F5)")), &QToolButton::clicked, this, &KeysToolbar::refreshClicked);
    connect(addButton(u"jumpButton"_s, u"jump"_s, tr("Jump to a time or a row (Ctrl+J)")), &QToolButton::clicked, this,
        &KeysToolbar::jumpClicked);
    connect(addButton(u"exportButton"_s, u"export"_s, tr("Export all that matches (Ctrl+E)")), &QToolButton::clicked, this,
        &KeysToolbar::exportClicked);
    connect(addButton(u"detailButton"_s, u"detail"_s, tr("Show or hide the detail (Ctrl+D, or Space in the table)")),
        &QToolButton::clicked, this, &KeysToolbar::detailClicked);

    connect(m_targets, &QComboBox::activated, this, [this](int index) { emit targetChosen(m_targets->itemData(index).toString()); });
    connect(m_orders, &QComboBox::activated, this, [this](int index) { m_browser->setOrder(m_orders->itemData(index).toString()); });
    connect(m_direction, &QToolButton::clicked, this, &KeysToolbar::turnOrder);
    connect(m_refreshEvery, &QComboBox::activated, this, [this] {
        const int seconds = m_refreshEvery->currentData().toInt();
        m_settings->setAutoRefresh(seconds);
        m_browser->setAutoRefresh(seconds);
    });
    connect(browser, &models::KeyBrowserController::ordersChanged, this, &KeysToolbar::refillOrders);
    connect(browser, &models::KeyBrowserController::orderChanged, this, &KeysToolbar::refillOrders);
    browser->setAutoRefresh(settings->autoRefresh());
    refillTargets();
    refillOrders();
}

QToolButton *KeysToolbar::addButton(const QString &objectName, const QString &icon, const QString &toolTip)
{
    auto *button = new QToolButton(this);
    button->setObjectName(objectName);
    button->setIcon(themedIcon(icon));
    button->setToolTip(toolTip);
    button->setAccessibleName(toolTip);
    button->setFocusPolicy(Qt::StrongFocus);
    static_cast<QHBoxLayout *>(layout())->addWidget(button);
    return button;
}

void KeysToolbar::fillRefresh()
{
    for (const int seconds : { 0, 2, 5, 15, 60 }) {
        m_refreshEvery->addItem(seconds == 0 ? tr("No auto-refresh") : tr("Every %n second(s)", nullptr, seconds), seconds);
    }
    m_refreshEvery->setCurrentIndex(std::max(0, m_refreshEvery->findData(m_settings->autoRefresh())));
}

void KeysToolbar::refillTargets()
{
    const QString current = m_browser->hasTarget() ? m_browser->target().profile.name : QString();
    const QSignalBlocker blocker(m_targets);
    m_targets->clear();
    for (const models::TargetEntry &entry : m_connection->targets()) {
        addTarget(m_targets, entry.target.profile);
    }
    m_targets->setEnabled(m_targets->count() > 0);
    m_targets->setCurrentIndex(m_targets->findData(current));
}

void KeysToolbar::showTarget(const QString &profileName)
{
    const QSignalBlocker blocker(m_targets);
    m_targets->setCurrentIndex(m_targets->findData(profileName));
}

void KeysToolbar::refillOrders()
{
    const QSignalBlocker blocker(m_orders);
    m_orders->clear();
    const auto orders = m_browser->orders();
    for (const models::OrderOption &order : orders) {
        const QString title = models::displayText(order.title, 60);
        m_orders->addItem(m_browser->indexServes(order) ? title : tr("%1 (slow: no index)").arg(title), order.label);
    }
    const QString order = m_browser->effectiveOrder();
    const bool turned = order.startsWith(u'-');
    const QString label = turned ? order.mid(1) : order;
    const int index = label.isEmpty() ? 0 : m_orders->findData(label); // the default order stands first
    m_orders->setCurrentIndex(index);
    m_orders->setEnabled(!orders.isEmpty());
    m_direction->setEnabled(!orders.isEmpty());
    const bool descending = index >= 0 && index < orders.size() && orders.at(index).descending != turned;
    m_direction->setIcon(themedIcon(descending ? u"descending"_s : u"ascending"_s));
    m_direction->setToolTip(descending ? tr("Largest and newest first; turn the order around") : tr("Smallest and oldest first; turn the order around"));
}

void KeysToolbar::turnOrder()
{
    const QString order = m_browser->effectiveOrder().isEmpty() ? m_orders->currentData().toString() : m_browser->effectiveOrder();
    m_browser->setOrder(order.startsWith(u'-') ? order.mid(1) : u'-' + order);
}

} // namespace idemdesk::ui
