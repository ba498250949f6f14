// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/keys/touches_model.h"

#include "models/keys/touch_words.h"

namespace idemdesk::models {

namespace {

QString touchText(const sql::KeyTouch &touch)
{
    const QString what = TouchesModel::tr("%1: %2", "action, outcome").arg(touchLabel(touch), touchOutcome(touch));
    return touch.undoneBy.isEmpty() ? what : TouchesModel::tr("%1, undone since").arg(what);
}

} // namespace

TouchesModel::TouchesModel(QObject *parent)
    : RowModel(parent)
{
}

void TouchesModel::setTouches(const QList<sql::KeyTouch> &touches)
{
    if (!touches.isEmpty() || !m_rows.isEmpty()) {
        setRows(touches);
    }
}

std::span<const TouchesModel::ColumnSpec> TouchesModel::columns()
{
    using Model = TouchesModel;
    using Touch = sql::KeyTouch;
    static constexpr ColumnSpec specs[] = {
        { .title = [] { return tr("When"); },
            .text = [](const Model &model, const Touch &touch) { return model.timeFormat().text(touch.at); },
            .toolTip = [](const Model &model, const Touch &touch) { return model.timeFormat().exact(touch.at); },
            .time = true },
        { .title = [] { return tr("Who"); },
            .text =
                [](const Model &, const Touch &touch) {
                    return touch.approvedBy.isEmpty() ? touch.who
                                                      : tr("%1, approved by %2").arg(touch.who, touch.approvedBy);
                } },
        { .title = [] { return tr("What"); },
            .text = [](const Model &, const Touch &touch) { return touchText(touch); },
            .toolTip = [](const Model &,
                           const Touch &touch) { return touch.detail.isEmpty() ? touchText(touch) : touch.detail; } },
        { .title = [] { return tr("Why"); },
            .text =
                [](const Model &, const Touch &touch) {
                    return touch.ticket.isEmpty() ? touch.reason
                                                  : tr("%1 (%2)", "reason, ticket").arg(touch.reason, touch.ticket);
                } },
    };
    static_assert(std::size(specs) == ColumnCount);
    return specs;
}

} // namespace idemdesk::models

#include "moc_touches_model.cpp"
