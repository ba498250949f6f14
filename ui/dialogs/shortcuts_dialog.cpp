// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/shortcuts_dialog.h"

#include "models/palette/fuzzy_match.h"
#include "ui/theme/theme.h"
#include "ui/widgets/button_row.h"
#include "ui/widgets/command_list.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/table_setup.h"

#include <QAction>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QStyledItemDelegate>
#include <QTableWidget>
#include <algorithm>
#include <array>
#include <utility>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

enum ShortcutColumn { PlaceColumn, EffectColumn, KeysColumn };

constexpr int kShortcutsWidth = 180 * kGrid;
constexpr int kKeysWidth = 50 * kGrid;
constexpr int kShortcutsHeight = 150 * kGrid;
constexpr int kEffectWidth = 110 * kGrid;

/// What lists and fields do with keys is their own, and cannot be changed.
QList<QStringList> fixedKeys()
{
    const QString lists = ShortcutsDialog::tr("Lists");
    const QString fields = ShortcutsDialog::tr("Fields");
    const auto keys = [](auto sequence) { return QKeySequence(sequence).toString(QKeySequence::NativeText); };
    return {
        { lists, ShortcutsDialog::tr("Open what the row leads to"), keys(Qt::Key_Return) },
        { lists, ShortcutsDialog::tr("Tick the row, or show and hide a key's detail"), keys(Qt::Key_Space) },
        { lists, ShortcutsDialog::tr("Copy the selected rows"), keys(QKeySequence::Copy) },
        { lists, ShortcutsDialog::tr("Stop what is being read"), keys(Qt::Key_Escape) },
        { lists, ShortcutsDialog::tr("The menu of a row"), keys(Qt::Key_Menu) },
        { fields, ShortcutsDialog::tr("Filter: apply it at once"), keys(Qt::Key_Return) },
        { fields, ShortcutsDialog::tr("Filter: what could be typed here"), keys(Qt::CTRL | Qt::Key_Space) },
        { fields, ShortcutsDialog::tr("Filter: back to the list"), keys(Qt::Key_Escape) },
        { fields, ShortcutsDialog::tr("Edit a cell of a form"), keys(Qt::Key_F2) },
        { fields, ShortcutsDialog::tr("To the next field; with Shift, back"), keys(Qt::Key_Tab) },
    };
}

/// Where there are none, a dash says so; what is copied and read aloud stays empty.
class KeysCellDelegate final : public QStyledItemDelegate
{
public:
    using QStyledItemDelegate::QStyledItemDelegate;

protected:
    void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override
    {
        QStyledItemDelegate::initStyleOption(option, index);
        if (option->text.isEmpty()) {
            option->text = u"–"_s;
            option->features |= QStyleOptionViewItem::HasDisplay;
            option->palette.setColor(QPalette::Text, themeColor(Token::MutedText));
            option->palette.setColor(QPalette::HighlightedText, themeColor(Token::MutedText));
        }
    }
};

} // namespace

ShortcutsDialog::ShortcutsDialog(CommandList *commands, QWidget *parent)
    : QDialog(parent)
    , m_commands(commands)
    , m_search(new QLineEdit(this))
    , m_table(textTable({ u"shortcutsTable"_s, tr("Shortcuts"), nullptr, { 0, kEffectWidth } },
          { tr("Where"), tr("Command"), tr("Shortcut") }, {}, kRowHeight, this))
    , m_keys(new QLineEdit(this))
    , m_none(new QPushButton(tr("C&lear"), this))
    , m_reset(new QPushButton(tr("De&fault"), this))
    , m_why(noteLabel({}, u"shortcutsWhy"_s, this))
{
    setObjectName(u"shortcutsDialog"_s);
    setWindowTitle(tr("Shortcuts"));
    setAccessibleName(windowTitle());
    m_search->setObjectName(u"shortcutsSearch"_s);
    m_search->setAccessibleName(tr("Search the shortcuts"));
    m_search->setPlaceholderText(tr("Search"));
    m_search->setClearButtonEnabled(true);
    m_label = buddyLabel(tr("New &shortcut"), m_keys, this);
    m_keys->setObjectName(u"shortcutsKeys"_s);
    m_keys->setAccessibleName(tr("New shortcut of the selected command"));
    m_keys->setPlaceholderText(tr("Press the keys"));
    m_keys->setReadOnly(true);
    m_keys->setMinimumWidth(Theme::scaled(kKeysWidth));
    m_keys->installEventFilter(this);
    m_none->setObjectName(u"shortcutsNone"_s);
    m_none->setAccessibleName(tr("Take the keys of the selected command away"));
    m_reset->setObjectName(u"shortcutsReset"_s);
    m_reset->setAccessibleName(tr("Give the selected command its usual keys"));
    m_table->setColumnHidden(PlaceColumn, true); // the rows stand under it; it is searched all the same
    m_table->setItemDelegateForColumn(KeysColumn, new KeysCellDelegate(m_table));
    layOut();
    wire();
    fill();
    m_table->setFocus();
    resize(kShortcutsWidth, kShortcutsHeight);
}

void ShortcutsDialog::layOut()
{
    auto *buttons = new ButtonRow(this);
    m_resetAll = buttons->addAside(u"shortcutsResetAll"_s, tr("&Reset all"));
    m_resetAll->setAccessibleName(tr("Give every command its usual keys"));
    buttons->setDefault(buttons->addStay(u"shortcutsClose"_s, tr("Close")));
    for (QPushButton *button : { m_none, m_reset }) {
        button->setAutoDefault(false);
    }
    auto *layout = dialogColumn(this);
    layout->setSpacing(3 * kGrid);
    layout->addWidget(m_search);
    layout->addWidget(m_table, 1);
    layout->addLayout(barRow({ m_label, m_keys, m_none, m_reset, nullptr }));
    layout->addWidget(m_why);
    layout->addWidget(buttons);
}

void ShortcutsDialog::wire()
{
    connect(m_search, &QLineEdit::textChanged, this, &ShortcutsDialog::narrow);
    connect(m_table, &QTableWidget::currentCellChanged, this, &ShortcutsDialog::showCommand);
    connect(m_none, &QPushButton::clicked, this, &ShortcutsDialog::clearKeys);
    connect(m_reset, &QPushButton::clicked, this, [this] { m_commands->reset(current()); });
    connect(m_resetAll, &QPushButton::clicked, m_commands, &CommandList::resetAll);
    connect(m_commands, &CommandList::keysChanged, this, &ShortcutsDialog::fill);
}

void ShortcutsDialog::addRow(const QStringList &texts, const QString &id)
{
    const int at = m_table->rowCount();
    m_table->insertRow(at);
    for (int column = 0; column < texts.size(); ++column) {
        auto *item = new QTableWidgetItem(texts.at(column));
        item->setToolTip(texts.at(column));
        item->setData(Qt::UserRole, id);
        m_table->setItem(at, column, item);
    }
    m_table->item(at, EffectColumn)
        ->setData(Qt::AccessibleTextRole, QStringList { texts.at(EffectColumn), texts.at(PlaceColumn) }.join(u", "_s));
}

void ShortcutsDialog::addGroup(const QString &place)
{
    const int at = m_table->rowCount();
    m_table->insertRow(at);
    for (const int column : { PlaceColumn, EffectColumn, KeysColumn }) {
        auto *item = new QTableWidgetItem(column == EffectColumn ? place : QString());
        item->setFlags(Qt::NoItemFlags);
        item->setFont(Theme::heading());
        item->setForeground(themeColor(Token::Text));
        item->setBackground(themeColor(Token::GroupHead));
        m_table->setItem(at, column, item);
    }
    m_table->setSpan(at, EffectColumn, 1, KeysColumn - EffectColumn + 1);
}

bool ShortcutsDialog::isGroup(int row) const
{
    const QTableWidgetItem *item = m_table->item(row, EffectColumn);
    return item != nullptr && item->flags() == Qt::NoItemFlags;
}

void ShortcutsDialog::fill()
{
    const QSignalBlocker blocker(m_table);
    const int row = m_table->currentRow();
    m_table->clearSpans();
    m_table->setRowCount(0);
    const QList<Command> &commands = m_commands->all();
    QStringList places;
    for (const Command &command : commands) {
        if (!places.contains(command.place)) { // a menu goes on after the menus in it
            places += command.place;
        }
    }
    for (const QString &place : std::as_const(places)) {
        addGroup(place);
        for (const Command &command : commands) {
            if (command.place == place) {
                addRow({ place, CommandList::nameOf(command.action), CommandList::keysText(command) }, command.id);
            }
        }
    }
    QString place;
    for (const QStringList &fixed : fixedKeys()) {
        if (fixed.at(PlaceColumn) != place) {
            place = fixed.at(PlaceColumn);
            addGroup(place);
        }
        addRow(fixed, {});
    }
    m_table->setCurrentCell(std::max(1, row), EffectColumn); // above the first command its group stands
    narrow(m_search->text());
    showCommand();
}

void ShortcutsDialog::narrow(const QString &text)
{
    int first = -1;
    int group = -1;
    for (int row = 0; row < m_table->rowCount(); ++row) {
        if (isGroup(row)) {
            group = row;
            m_table->setRowHidden(row, true); // until one of it fits
            continue;
        }
        bool fits = text.trimmed().isEmpty();
        for (int column = 0; column < m_table->columnCount() && !fits; ++column) {
            const auto match = models::fuzzyMatch(text, m_table->item(row, column)->text());
            fits = match && match->fit != models::Fit::Letters;
        }
        m_table->setRowHidden(row, !fits);
        if (fits) {
            m_table->setRowHidden(group, false);
        }
        first = fits && first < 0 ? row : first;
    }
    if (first >= 0 && m_table->isRowHidden(m_table->currentRow())) {
        m_table->setCurrentCell(first, EffectColumn);
    }
}

QString ShortcutsDialog::current() const
{
    const QTableWidgetItem *item = m_table->item(m_table->currentRow(), EffectColumn);
    return item == nullptr ? QString() : item->data(Qt::UserRole).toString();
}

void ShortcutsDialog::showCommand()
{
    const QString id = current();
    say(id.isEmpty() ? tr("The keys of lists and fields cannot be changed.") : QString());
    m_keys->setEnabled(!id.isEmpty());
    const Command *command = m_commands->find(id);
    m_none->setEnabled(command != nullptr && !command->action->shortcuts().isEmpty());
    m_reset->setEnabled(!id.isEmpty() && m_commands->changed(id));
}

/// Whatever is pressed there is meant as the new keys, but for those that lead on or away.
bool ShortcutsDialog::eventFilter(QObject *watched, QEvent *event)
{
    if (watched != m_keys || (event->type() != QEvent::KeyPress && event->type() != QEvent::ShortcutOverride)) {
        return QDialog::eventFilter(watched, event);
    }
    const auto *pressed = static_cast<QKeyEvent *>(event);
    static constexpr std::array kPassed { Qt::Key_Tab, Qt::Key_Backtab, Qt::Key_Escape };
    static constexpr std::array kHeld { Qt::Key_Shift, Qt::Key_Control, Qt::Key_Alt, Qt::Key_Meta, Qt::Key_AltGr,
        Qt::Key_unknown };
    const auto isOneOf = [pressed](const auto &keys) {
        return std::find(keys.begin(), keys.end(), Qt::Key(pressed->key())) != keys.end();
    };
    if (isOneOf(kPassed)) {
        return QDialog::eventFilter(watched, event);
    }
    event->accept();
    if (event->type() == QEvent::KeyPress && !isOneOf(kHeld)) {
        take(QKeySequence(QKeyCombination(pressed->modifiers() & ~Qt::KeypadModifier, Qt::Key(pressed->key()))));
    }
    return true;
}

void ShortcutsDialog::take(const QKeySequence &keys)
{
    const QString id = current();
    const QString why = m_commands->whyNot(id, keys);
    if (why.isEmpty()) {
        m_commands->setKeys(id, keys);
        say(tr("The keys are now %1.").arg(keys.toString(QKeySequence::NativeText)));
    } else {
        say(why);
    }
}

void ShortcutsDialog::say(const QString &why)
{
    m_why->setText(why);
    m_why->setVisible(!why.isEmpty());
}

void ShortcutsDialog::changeEvent(QEvent *event)
{
    QDialog::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_table->rowCount() > 0) {
        fill(); // the groups' colours stand in their cells
    }
}

void ShortcutsDialog::clearKeys()
{
    m_commands->setKeys(current(), {});
}

} // namespace idemdesk::ui
