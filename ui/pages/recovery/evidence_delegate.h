// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/delegates/cell_delegate.h"

namespace idemdesk::ui {

/// A sentence of evidence on one line. Where it has too little room, long references in it are cut short first, so that
/// its words stay whole.
class EvidenceDelegate final : public CellDelegate
{
    Q_OBJECT

public:
    using CellDelegate::CellDelegate;

    static QString shortened(const QString &sentence);

protected:
    void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override;
};

} // namespace idemdesk::ui
