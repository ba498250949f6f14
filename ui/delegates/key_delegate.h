// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/delegates/cell_delegate.h"

namespace idemdesk::ui {

/// Keys and hashes: monospace, elided in the middle, because both ends tell such values apart.
class KeyDelegate final : public CellDelegate
{
    Q_OBJECT

public:
    explicit KeyDelegate(QObject *parent = nullptr);

protected:
    void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override;

private:
    QFont m_font;
};

} // namespace idemdesk::ui
