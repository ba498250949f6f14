// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/command_palette.h"

#include "models/format/display_text.h"
#include "models/palette/key_lookup.h"
#include "ui/theme/surfaces.h"
#include "ui/theme/theme.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/window/palette_delegate.h"

#include <QKeyEvent>
#include <QLineEdit>
#include <QListView>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

constexpr int kPaletteWidth = 160 * kGrid;
constexpr int kPaletteHeight = 110 * kGrid;
constexpr int kPageOfRows = 10;

} // namespace

CommandPalette::CommandPalette(const QList<models::PaletteEntry> &entries, models::KeyLookup *keys, QWidget *parent)
    : QDialog(parent, Qt::Dialog | Qt::FramelessWindowHint)
    , m_model(new models::PaletteModel(this))
    , m_keys(keys)
    , m_typed(new QLineEdit(this))
    , m_list(new QListView(this))
    , m_note(noteLabel({}, u"paletteNote"_s, this))
{
    setObjectName(u"commandPalette"_s);
    setWindowTitle(tr("Command palette"));
    setAccessibleName(windowTitle());
    keys->setParent(this);
    m_model->setEntries(entries);
    m_typed->setObjectName(u"paletteTyped"_s);
    m_typed->setAccessibleName(tr("Search pages, tables, views, keys and actions"));
    m_typed->setPlaceholderText(tr("Page, table, view, key or action"));
    m_typed->installEventFilter(this);
    m_list->setObjectName(u"paletteList"_s);
    m_list->setAccessibleName(tr("What fits, best first"));
    m_list->setModel(m_model);
    m_list->setItemDelegate(new PaletteDelegate(m_list));
    m_list->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_list->setFocusPolicy(Qt::NoFocus); // the keyboard stays in the field, which leads the list
    m_list->viewport()->installEventFilter(this);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setResizeMode(QListView::Adjust);
    layOut();
    wire();
    sync();
}

void CommandPalette::layOut()
{
    auto *layout = dialogColumn(this);
    layout->setContentsMargins(3 * kGrid, 3 * kGrid, 3 * kGrid, 2 * kGrid);
    layout->addWidget(m_typed);
    layout->addWidget(m_list, 1);
    layout->addWidget(m_note);
    const QWidget *window = parentWidget();
    resize(
        std::min(kPaletteWidth, window->width() - 8 * kGrid), std::min(kPaletteHeight, window->height() - 16 * kGrid));
    QWidget::move(window->mapToGlobal(QPoint((window->width() - width()) / 2, 16 * kGrid)));
}

void CommandPalette::wire()
{
    connect(m_typed, &QLineEdit::textChanged, this, &CommandPalette::takeTyped);
    connect(m_keys, &models::KeyLookup::changed, this, &CommandPalette::takeKeys);
    connect(m_list, &QListView::clicked, this, &CommandPalette::choose);
}

void CommandPalette::takeTyped(const QString &text)
{
    m_model->setTyped(text);
    m_keys->look(text); // changed() follows, and with it sync()
}

void CommandPalette::takeKeys()
{
    QList<models::PaletteEntry> found;
    for (const models::FoundKey &key : m_keys->found()) {
        QStringList parts { key.title };
        for (const QString &part : { key.scope, key.state }) {
            if (!part.isEmpty()) {
                parts += part;
            }
        }
        found.append(
            { models::PaletteEntry::Kind::Key, key.target, key.key, parts.join(u" · "_s), QString(), u"keys"_s });
    }
    m_model->setKeys(found);
    sync();
}

void CommandPalette::sync()
{
    if (m_model->rowCount() > 0) {
        m_list->setCurrentIndex(m_model->index(0, 0));
    }
    m_typed->setAccessibleDescription(m_list->currentIndex().data(Qt::AccessibleTextRole).toString());
    QStringList words;
    if (m_model->rowCount() == 0 && !m_keys->busy()) {
        words += tr("Nothing fits “%1”.").arg(models::displayText(m_model->typed().trimmed(), 60));
    }
    if (m_keys->busy()) {
        words += tr("Searching keys…");
    } else if (m_keys->error()) {
        words += tr("Keys could not be looked up: %1").arg(models::displayText(m_keys->error()->what, 160));
    } else if (!m_keys->leftOut().isEmpty()) {
        words += tr("No key was looked for in %1: no index finds it there, or this login may not read it.")
                     .arg(models::displayText(m_keys->leftOut().join(u", "_s), 160));
    }
    if (words.isEmpty()) {
        words += tr("↵ open · Esc close");
    }
    m_note->setText(words.join(u' '));
}

void CommandPalette::move(int rows)
{
    const int count = m_model->rowCount();
    if (count > 0) {
        const int at = m_list->currentIndex().row() + rows;
        // One step beyond an end comes in at the other; a page of rows stops there.
        const int to = std::abs(rows) == 1 ? (at + count) % count : std::clamp(at, 0, count - 1);
        m_list->setCurrentIndex(m_model->index(to, 0));
        m_typed->setAccessibleDescription(m_list->currentIndex().data(Qt::AccessibleTextRole).toString());
    }
}

void CommandPalette::choose()
{
    const models::PaletteEntry *entry = m_model->row(m_list->currentIndex().row());
    if (entry != nullptr) {
        const models::PaletteEntry taken = *entry;
        accept();
        emit chosen(taken);
    }
}

/// It has no frame of the desktop's: an edge tells it from the page beneath.
void CommandPalette::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    drawPanel(&painter, rect(), themeColor(Token::Raised), themeColor(Token::ControlBorder), 0);
}

/// On the name of a group, which is drawn above its first row: a click there means none.
bool CommandPalette::onHead(const QPoint &place) const
{
    const QModelIndex index = m_list->indexAt(place);
    return index.isValid()
        && place.y() < m_list->visualRect(index).top() + PaletteDelegate::headHeight(index, m_list->fontMetrics());
}

bool CommandPalette::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_list->viewport()) {
        const bool press = event->type() == QEvent::MouseButtonPress || event->type() == QEvent::MouseButtonRelease;
        return press && onHead(static_cast<QMouseEvent *>(event)->position().toPoint());
    }
    if (watched != m_typed || event->type() != QEvent::KeyPress) {
        return QDialog::eventFilter(watched, event);
    }
    switch (static_cast<QKeyEvent *>(event)->key()) {
    case Qt::Key_Down:
        move(1);
        return true;
    case Qt::Key_Up:
        move(-1);
        return true;
    case Qt::Key_PageDown:
        move(kPageOfRows);
        return true;
    case Qt::Key_PageUp:
        move(-kPageOfRows);
        return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        choose();
        return true;
    default:
        return QDialog::eventFilter(watched, event);
    }
}

} // namespace idemdesk::ui
