// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/recovery/evidence_delegate.h"

#include "ui/theme/theme.h"

#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

/// "1803f2e7-e61f-4855-9ea2-75b5b0019331" becomes "1803f2e7…".
QString EvidenceDelegate::shortened(const QString &sentence)
{
    static const QRegularExpression reference(
        u"\\b([0-9A-Za-z_]{4,8})(?=[0-9A-Za-z_-]{12})[0-9A-Za-z_-]*\\d[0-9A-Za-z_-]*"_s);
    return QString(sentence).replace(reference, u"\\1…"_s);
}

void EvidenceDelegate::initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const
{
    CellDelegate::initStyleOption(option, index);
    if (option->fontMetrics.horizontalAdvance(option->text) > option->rect.width() - 2 * kCellPadding) {
        option->text = shortened(option->text);
    }
}

} // namespace idemdesk::ui
