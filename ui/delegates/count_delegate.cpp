// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/delegates/count_delegate.h"

#include "models/overview/overview_model.h"
#include "models/overview/scopes_model.h"
#include "ui/theme/theme.h"

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

// Both models begin their roles alike; the delegate relies on it.
static_assert(int(models::OverviewModel::RawRole) == int(models::ScopesModel::RawRole));
static_assert(int(models::OverviewModel::StateRole) == int(models::ScopesModel::StateRole));

void CountDelegate::initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const
{
    QStyledItemDelegate::initStyleOption(option, index);
    if (!option->displayAlignment.testFlag(Qt::AlignRight)) {
        option->textElideMode = Qt::ElideMiddle; // names and scopes: both ends tell them apart
        return;
    }
    option->font = Theme::figures(option->font);
    const qint64 count = index.data(models::OverviewModel::RawRole).toLongLong();
    const QVariant state = index.data(models::OverviewModel::StateRole);
    const QString filter = index.data(models::OverviewModel::FilterTextRole).toString();
    QColor color = themeColor(Token::MutedText);
    const bool stuck = filter.contains(u"state:stuck"_s);
    if (count > 0 && stuck) {
        option->font.setWeight(QFont::DemiBold);
    }
    if (count > 0 && state.isValid()) {
        color = themeColor(tokenOf(static_cast<sql::KeyState>(state.toInt()), false));
    } else if (count > 0 && stuck) {
        color = themeColor(Token::Stale);
    } else if (count > 0) {
        color = themeColor(Token::Text);
    }
    option->palette.setColor(QPalette::Text, color);
    if (count > 0 && (stuck || state.isValid())) { // selected, too, it is what it is
        option->palette.setColor(QPalette::HighlightedText, color);
    }
}

} // namespace idemdesk::ui
