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
#include <QTableWidget>
#include <algorithm>
#include <array>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

enum ShortcutColumn { PlaceColumn, EffectColumn, KeysColumn };

constexpr int kShortcutsWidth = 180 * kGrid;
constexpr int kKeysWidth = 50 * kGrid;
constexpr int kShortcutsHeight = 150 * kGrid;
constexpr int kPlaceWidth = 34 * kGrid;
constexpr int kEffectWidth = 84 * kGrid;

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

} // namespace

ShortcutsDialog::ShortcutsDialog(CommandList *commands, QWidget *parent)
    : QDialog(parent)
    , m_commands(commands)
    , m_search(new QLineEdit(this))
    , m_table(textTable({ u"shortcutsTable"_s, tr("Shortcuts"), nullptr, { kPlaceWidth, kEffectWidth } },
          { tr("Where"), tr("What"), tr("Keys") }, {}, kRowHeight, this))
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
    m_label = buddyLabel(tr("New &keys:"), m_keys, this);
    m_keys->setObjectName(u"shortcutsKeys"_s);
    m_keys->setAccessibleName(tr("New keys of the selected command"));
    m_keys->setPlaceholderText(tr("Press the new keys"));
    m_keys->setReadOnly(true);
    m_keys->setMinimumWidth(Theme::scaled(kKeysWidth));
    m_keys->installEventFilter(this);
    m_none->setObjectName(u"shortcutsNone"_s);
    m_none->setAccessibleName(tr("Take the keys of the selected command away"));
    m_reset->setObjectName(u"shortcutsReset"_s);
    m_reset->setAccessibleName(tr("Give the selected command its usual keys"));
    layOut();
    wire();
    fill();
    m_table->setCurrentCell(0, 0);
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

void ShortcutsDialog::fill()
{
    const QSignalBlocker blocker(m_table);
    const int row = m_table->currentRow();
    m_table->setRowCount(0);
    const auto addRow = [this](const QStringList &texts, const QString &id) {
        const int at = m_table->rowCount();
        m_table->insertRow(at);
        for (int column = 0; column < texts.size(); ++column) {
            auto *item = new QTableWidgetItem(texts.at(column));
            item->setToolTip(texts.at(column));
            item->setData(Qt::UserRole, id);
            m_table->setItem(at, column, item);
        }
    };
    for (const Command &command : m_commands->all()) {
        addRow({ command.place, CommandList::nameOf(command.action), CommandList::keysText(command) }, command.id);
    }
    for (const QStringList &fixed : fixedKeys()) {
        addRow(fixed, {});
    }
    m_table->setCurrentCell(std::max(0, row), 0);
    narrow(m_search->text());
    showCommand();
}

void ShortcutsDialog::narrow(const QString &text)
{
    int first = -1;
    for (int row = 0; row < m_table->rowCount(); ++row) {
        bool fits = text.trimmed().isEmpty();
        for (int column = 0; column < m_table->columnCount() && !fits; ++column) {
            const auto match = models::fuzzyMatch(text, m_table->item(row, column)->text());
            fits = match && match->fit != models::Fit::Letters;
        }
        m_table->setRowHidden(row, !fits);
        first = fits && first < 0 ? row : first;
    }
    if (first >= 0 && m_table->isRowHidden(m_table->currentRow())) {
        m_table->setCurrentCell(first, 0);
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
    m_why->setText(id.isEmpty() ? tr("The keys of lists and fields cannot be changed.") : QString());
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
        m_why->setText(tr("The keys are now %1.").arg(keys.toString(QKeySequence::NativeText)));
    } else {
        m_why->setText(why);
    }
}

void ShortcutsDialog::clearKeys()
{
    m_commands->setKeys(current(), {});
}

} // namespace idemdesk::ui
