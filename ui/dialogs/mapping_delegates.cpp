// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/mapping_delegates.h"

#include "models/format/labels.h"
#include "models/mapping/mapping_model.h"
#include "models/mapping/states_model.h"
#include "ui/theme/theme.h"
#include "ui/widgets/plain_tool_tips.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QCompleter>
#include <QHelpEvent>
#include <QLineEdit>
#include <QTimer>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

FormDelegate::FormDelegate(int attentionRole, QObject *parent)
    : QStyledItemDelegate(parent)
    , m_attentionRole(attentionRole)
{
}

bool FormDelegate::helpEvent(
    QHelpEvent *event, QAbstractItemView *view, const QStyleOptionViewItem &option, const QModelIndex &index)
{
    if (event->type() != QEvent::ToolTip) {
        return QStyledItemDelegate::helpEvent(event, view, option, index);
    }
    PlainToolTips::show(event->globalPos(), index.data(Qt::ToolTipRole).toString(), view, option.rect);
    return true;
}

void FormDelegate::initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const
{
    QStyledItemDelegate::initStyleOption(option, index);
    option->features &= ~QStyleOptionViewItem::ViewItemFeatures(QStyleOptionViewItem::WrapText);
    if (m_attentionRole >= 0 && index.data(m_attentionRole).toBool()) {
        option->backgroundBrush
            = badgeFill(themeColor(Token::Warning), option->palette.color(QPalette::Base), themeScheme());
    }
}

void SentenceDelegate::initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const
{
    const bool wraps = option->features.testFlag(QStyleOptionViewItem::WrapText);
    FormDelegate::initStyleOption(option, index);
    option->features.setFlag(QStyleOptionViewItem::WrapText, wraps);
}

void RoleDelegate::initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const
{
    FormDelegate::initStyleOption(option, index);
    if (!index.siblingAtColumn(models::MappingModel::Sql).data(Qt::EditRole).toString().isEmpty()) {
        option->font = Theme::heading();
    } else if (!index.data(models::MappingModel::RequiredRole).toBool()) {
        option->palette.setColor(QPalette::Text, themeColor(Token::MutedText));
    }
}

QWidget *SqlDelegate::createEditor(QWidget *parent, const QStyleOptionViewItem &, const QModelIndex &index) const
{
    auto *edit = new QLineEdit(parent);
    edit->setObjectName(u"mappingSqlEdit"_s);
    edit->setAccessibleName(tr("SQL expression"));
    edit->setFont(Theme::monospace());
    edit->setFrame(false);
    edit->setAutoFillBackground(true); // without a frame nothing else hides the text beneath
    auto *completer = new QCompleter(index.data(models::MappingModel::ColumnNamesRole).toStringList(), edit);
    completer->setFilterMode(Qt::MatchContains);
    completer->setCaseSensitivity(Qt::CaseInsensitive);
    edit->setCompleter(completer);
    return edit;
}

void SqlDelegate::initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const
{
    FormDelegate::initStyleOption(option, index);
    if (!option->text.isEmpty()) {
        option->font = Theme::monospace();
        return;
    }
    const bool required = index.data(models::MappingModel::RequiredRole).toBool();
    option->text = required ? tr("Required: choose a column") : tr("optional, not mapped");
    option->palette.setColor(QPalette::Text, themeColor(required ? Token::Danger : Token::MutedText));
}

QWidget *StateChoiceDelegate::createEditor(QWidget *parent, const QStyleOptionViewItem &, const QModelIndex &) const
{
    auto *combo = new QComboBox(parent);
    combo->setObjectName(u"mappingStateCombo"_s);
    combo->setAccessibleName(tr("State"));
    combo->addItem(tr("Not mapped"));
    for (const sql::KeyState state : sql::kAllStates) {
        combo->addItem(models::stateLabel(state), int(state));
    }
    // Typed letters look for a state in the open list; in a closed one each of them would be a choice.
    QTimer::singleShot(0, combo, &QComboBox::showPopup);
    // One choice is one edit: nobody expects to press Enter after having picked.
    auto *self = const_cast<StateChoiceDelegate *>(this);
    connect(combo, &QComboBox::activated, self, [self, combo] {
        emit self->commitData(combo);
        emit self->closeEditor(combo);
    });
    return combo;
}

void StateChoiceDelegate::setEditorData(QWidget *editor, const QModelIndex &index) const
{
    auto *combo = qobject_cast<QComboBox *>(editor);
    const QVariant state = index.data(models::StatesModel::StateRole);
    combo->setCurrentIndex(state.isValid() ? combo->findData(state) : 0);
}

void StateChoiceDelegate::setModelData(QWidget *editor, QAbstractItemModel *model, const QModelIndex &index) const
{
    model->setData(index, qobject_cast<QComboBox *>(editor)->currentData(), models::StatesModel::StateRole);
}

} // namespace idemdesk::ui
