// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/flow_view.h"

#include "models/format/labels.h"
#include "models/format/quantities.h"
#include "ui/delegates/state_delegate.h"
#include "ui/theme/theme.h"

#include <QPainter>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

constexpr int kFlowHeight = 8 * kGrid; // pixels, of one arrow
constexpr int kFlowArrowWidth = 56 * kGrid;
constexpr double kThinnest = 1.5;
constexpr double kThickest = 6;
constexpr int kHead = 7;

Badge badgeOf(std::optional<sql::KeyState> state, bool stuck = false)
{
    Badge badge;
    badge.stale = stuck;
    badge.text = stuck ? FlowView::tr("Stuck") : state ? models::stateLabel(*state) : FlowView::tr("Deleted");
    badge.state = state.value_or(sql::KeyState::FailedFinal);
    return badge;
}

/// What may happen to these keys from then on.
QString consequenceOf(std::optional<sql::KeyState> state)
{
    if (!state) {
        return FlowView::tr("these keys are free again");
    }
    switch (*state) {
    case sql::KeyState::FailedRetryable:
    case sql::KeyState::Pending:
        return FlowView::tr("these may run again");
    case sql::KeyState::Succeeded:
        return FlowView::tr("these count as done and never run again");
    case sql::KeyState::FailedFinal:
        return FlowView::tr("these count as failed and never run again");
    case sql::KeyState::InProgress:
    case sql::KeyState::Unknown:
        break;
    }
    return {};
}

} // namespace

FlowView::FlowView(const QList<models::StateFlow> &flows, bool ofRows, QWidget *parent)
    : QWidget(parent)
    , m_flows(flows)
    , m_ofRows(ofRows)
{
    setObjectName(u"flowView"_s);
    QStringList texts;
    for (const models::StateFlow &flow : flows) {
        const Badge from = badgeOf(flow.from, flow.stuck);
        const Badge to = badgeOf(flow.to);
        m_fromWidth = std::max(m_fromWidth, badgeWidth(from, font()));
        m_toWidth = std::max(m_toWidth, badgeWidth(to, font()));
        const QString text
            = tr("%1: %2 becomes %3", "how many keys, two states").arg(countOf(flow), from.text, to.text);
        const QString then = consequenceOf(flow.to);
        texts += then.isEmpty() ? text : tr("%1, %2", "what becomes of keys, what that means").arg(text, then);
    }
    setAccessibleName(texts.join(u"; "_s));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

QString FlowView::countOf(const models::StateFlow &flow) const
{
    return m_ofRows ? models::rowsText(flow.rows) : tr("%Ln key(s)", nullptr, int(flow.rows));
}

QSize FlowView::sizeHint() const
{
    return { m_fromWidth + kFlowArrowWidth + m_toWidth, int(m_flows.size()) * kFlowHeight };
}

void FlowView::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    qint64 most = 1;
    for (const models::StateFlow &flow : m_flows) {
        most = std::max(most, flow.rows);
    }
    int top = 0;
    for (const models::StateFlow &flow : m_flows) {
        const QRect line(0, top, width(), kFlowHeight);
        const Badge to = badgeOf(flow.to);
        const QColor color = themeColor(tokenOf(to.state, false));
        paintBadge(&painter, { 0, top, m_fromWidth, kFlowHeight }, badgeOf(flow.from, flow.stuck), font(),
            themeColor(Token::Base));
        const QRectF arrow(m_fromWidth + 2 * kGrid, top, kFlowArrowWidth - 4 * kGrid, kFlowHeight);
        const double thick = kThinnest + (kThickest - kThinnest) * double(flow.rows) / double(most);
        painter.setPen(QPen(color, thick));
        painter.drawLine(QPointF(arrow.left(), arrow.center().y()), QPointF(arrow.right() - kHead, arrow.center().y()));
        painter.setPen(Qt::NoPen);
        painter.setBrush(color);
        painter.drawPolygon(QPolygonF { QPointF(arrow.right() - kHead - 1, arrow.center().y() - kHead),
            QPointF(arrow.right(), arrow.center().y()),
            QPointF(arrow.right() - kHead - 1, arrow.center().y() + kHead) });
        const QString count = countOf(flow);
        const int textWidth = fontMetrics().horizontalAdvance(count) + 3 * kGrid;
        const QRectF ground(arrow.center().x() - textWidth / 2.0, top + kGrid, textWidth, kFlowHeight - 2 * kGrid);
        painter.fillRect(ground, palette().color(QPalette::Window));
        painter.setPen(themeColor(Token::Text));
        painter.drawText(ground, Qt::AlignCenter, count);
        paintBadge(&painter,
            { m_fromWidth + kFlowArrowWidth, top, width() - m_fromWidth - kFlowArrowWidth, kFlowHeight }, to, font(),
            themeColor(Token::Base));
        const int said = m_fromWidth + kFlowArrowWidth + m_toWidth + 2 * kGrid;
        painter.setPen(themeColor(Token::MutedText));
        painter.drawText(QRect(said, top, std::max(0, width() - said), kFlowHeight), Qt::AlignLeft | Qt::AlignVCenter,
            fontMetrics().elidedText(consequenceOf(flow.to), Qt::ElideRight, std::max(0, width() - said)));
        top += line.height();
    }
}

} // namespace idemdesk::ui
