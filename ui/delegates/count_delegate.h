// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>

namespace idemdesk::ui {

/// Counts by state: right-aligned, in the state's colour where there are any, faint where there are none; stale ones
/// stand out. Reads the roles that OverviewModel and ScopesModel share.
class CountDelegate final : public QStyledItemDelegate
{
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;

protected:
    void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override;
};

} // namespace idemdesk::ui
