// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/keys/keys_toolbar.h"

#include "models/connection/connection_controller.h"
#include "models/keys/key_browser.h"
#include "ui/theme/icons.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/page_header.h"
#include "ui/widgets/target_chooser.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QToolButton>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

constexpr int kOrderChars = 14; // the tables beside it have the longer names

} // namespace

KeysToolbar::KeysToolbar(
    models::ConnectionController *connection, models::KeyBrowserController *browser, QWidget *parent)
    : QWidget(parent)
    , m_connection(connection)
    , m_browser(browser)
    , m_targets(new TargetChooser(u"targetChooser"_s, this))
    , m_orders(new QComboBox(this))
    , m_direction(new QToolButton(this))
{
    setObjectName(u"keysToolbar"_s);
    m_orders->setObjectName(u"orderChooser"_s);
    m_orders->setAccessibleName(tr("Sort by"));
    // Tables differ in their orders; the toolbar stays where it is.
    m_orders->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_orders->setMinimumContentsLength(kOrderChars);
    m_direction->setObjectName(u"orderDirection"_s);
    m_direction->setAccessibleName(tr("Turn the order around"));
    auto *header = new PageHeader(tr("Keys"), this);
    header->add(m_targets, 4);
    header->add({ nullptr });
    QHBoxLayout *sorting = header->addGroup();
    for (QWidget *widget :
        std::initializer_list<QWidget *> { buddyLabel(tr("Sort by"), m_orders, this), m_orders, m_direction }) {
        sorting->addWidget(widget);
    }
    connect(header->addCommand(u"refreshButton"_s, u"refresh"_s, tr("Refresh (F5)")), &QToolButton::clicked, this,
        &KeysToolbar::refreshClicked);
    connect(header->addCommand(u"jumpButton"_s, u"jump"_s, tr("Jump to a time or a row (Ctrl+J)")),
        &QToolButton::clicked, this, &KeysToolbar::jumpClicked);
    connect(header->addCommand(u"exportButton"_s, u"export"_s, tr("Export all that matches (Ctrl+E)")),
        &QToolButton::clicked, this, &KeysToolbar::exportClicked);
    connect(header->addCommand(u"stripButton"_s, u"bars"_s, tr("Show or hide keys over time, by scope and age")),
        &QToolButton::clicked, this, &KeysToolbar::stripClicked);
    connect(header->addCommand(
                u"detailButton"_s, u"detail"_s, tr("Show or hide the detail (Ctrl+D, or Space in the table)")),
        &QToolButton::clicked, this, &KeysToolbar::detailClicked);
    partColumn(this)->addWidget(header);

    connect(m_targets, &TargetChooser::chosen, this, &KeysToolbar::targetChosen);
    connect(m_orders, &QComboBox::activated, this,
        [this](int index) { m_browser->setOrder(m_orders->itemData(index).toString()); });
    connect(m_direction, &QToolButton::clicked, this, &KeysToolbar::turnOrder);
    connect(browser, &models::KeyBrowserController::ordersChanged, this, &KeysToolbar::refillOrders);
    connect(browser, &models::KeyBrowserController::orderChanged, this, &KeysToolbar::refillOrders);
    refillTargets();
    refillOrders();
}

void KeysToolbar::refillTargets()
{
    const QString current = m_browser->hasTarget() ? m_browser->target().profile.name : QString();
    m_targets->refill(m_connection->searched(), current);
    m_targets->choose(current); // none, rather than one whose rows are not shown
}

void KeysToolbar::showTarget(const QString &profileName)
{
    m_targets->choose(profileName);
}

void KeysToolbar::refillOrders()
{
    const QSignalBlocker blocker(m_orders);
    m_orders->clear();
    const auto orders = m_browser->orders();
    for (const models::OrderOption &order : orders) {
        m_orders->addItem(
            m_browser->indexServes(order) ? order.title : tr("%1 (slow: no index)").arg(order.title), order.label);
    }
    const QString order = m_browser->effectiveOrder();
    const bool turned = order.startsWith(u'-');
    const QString label = turned ? order.mid(1) : order;
    const int index = label.isEmpty() ? 0 : m_orders->findData(label); // the default order stands first
    m_orders->setCurrentIndex(index);
    m_orders->setToolTip(m_orders->currentData().toString() == u"identity"_s
            ? tr("Sorted by the table's own key, which may say nothing about time.")
            : QString());
    m_orders->setEnabled(!orders.isEmpty());
    m_direction->setEnabled(!orders.isEmpty());
    const bool descending = index >= 0 && index < orders.size() && orders.at(index).descending != turned;
    m_direction->setIcon(themedIcon(descending ? u"descending"_s : u"ascending"_s));
    m_direction->setToolTip(descending ? tr("Largest and newest first; turn the order around")
                                       : tr("Smallest and oldest first; turn the order around"));
}

void KeysToolbar::turnOrder()
{
    const QString order
        = m_browser->effectiveOrder().isEmpty() ? m_orders->currentData().toString() : m_browser->effectiveOrder();
    m_browser->setOrder(order.startsWith(u'-') ? order.mid(1) : u'-' + order);
}

} // namespace idemdesk::ui
