// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/triage/frozen_set.h"

#include <QWidget>

namespace idemdesk::ui {

/// What becomes of which state, as a picture: a badge, an arrow as thick as its share, with the number of keys on it
/// (or of rows, where several are of one key), and the badge of the new state.
class FlowView final : public QWidget
{
    Q_OBJECT

public:
    FlowView(const QList<models::StateFlow> &flows, bool ofRows, QWidget *parent);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    QString countOf(const models::StateFlow &flow) const;

    QList<models::StateFlow> m_flows;
    bool m_ofRows;
    int m_fromWidth = 0; ///< of the widest badge before the arrows
    int m_toWidth = 0; ///< and behind them
};

} // namespace idemdesk::ui
