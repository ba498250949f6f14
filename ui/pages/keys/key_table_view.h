// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/keys/copy_format.h"

#include "sql/types/action.h"

#include <QHash>
#include <QTableView>

class QMenu;

namespace idemdesk::models {
class KeyBrowserController;
class Settings;
struct KeyColumnSpec;
} // namespace idemdesk::models

namespace idemdesk::ui {

class CellDelegate;
class FrozenColumns;
class KeyDelegate;
class StateDelegate;

/// The table of keys: a column's look by what it holds, columns that are hidden, moved and resized and remembered by
/// table, and give way where there is little room, and the selection copied in any of the forms. Tells the browser
/// which rows it shows and which are selected.
class KeyTableView final : public QTableView
{
    Q_OBJECT

public:
    KeyTableView(models::KeyBrowserController *browser, models::Settings *settings, QWidget *parent = nullptr);

    static constexpr int kMostSelected = 10'000; ///< rows a selection reaches; more are exported, not copied

    void copy(models::CopyFormat format);
    void reportVisibleRows();
    /// The row a person means: the current one where it is selected, else the first that is; -1 where none is.
    int shownRow() const;
    void keyboardSearch(const QString &search) override;

    void setDimmed(bool dimmed); ///< the rows are of the filter before

signals:
    /// Fewer than were selected: the others have not been read, or are too many.
    void copiedInPart(qint64 copied, qint64 selected);
    void filterWanted(const QString &text); ///< the list's filter, narrowed or widened by a cell
    void actionWanted(idemdesk::sql::ActionVerb verb); ///< on what is selected
    void caseWanted(); ///< about what is selected
    void currentRecordChanged(); ///< another row is the current one, or none is selected any more
    void spacePressed();
    void escapePressed();

protected:
    void resizeEvent(QResizeEvent *event) override;
    void changeEvent(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    QItemSelectionModel::SelectionFlags selectionCommand(const QModelIndex &index, const QEvent *event) const override;

private:
    void wire();
    void sortBy(int column); ///< where an order goes by what the column shows
    void showOrder();
    void restoreColumns();
    void rememberColumns();
    void onResized(int column, int before, int now); ///< by a person, or because the last one fills the table
    void fitToRoom(); ///< columns that nobody chose shrink, or give way
    void fitToRows(); ///< scopes and keys are as wide as the first rows ask for
    void spreadRest(const QList<int> &shown, int room, QList<int> *widths) const;
    bool ordered(const models::KeyColumnSpec &spec) const;
    int lastShown() const; ///< logical column at the right edge
    QString foldedId() const;
    QString chosenId() const;
    void toggleColumn(int column, bool shown);
    void showColumnMenu(const QPoint &globalPlace);
    void addFreezing(QMenu *menu, int column);
    void freeze(int column); ///< -1: none
    QString frozenId() const;
    void showRowMenu(const QModelIndex &cell, const QPoint &globalPlace);
    void addCellFilters(QMenu *menu, const QModelIndex &cell);
    void addActions(QMenu *menu);
    void addCopies(QMenu *menu);
    void onSelection();
    void restoreSelection(const QList<int> &rows);
    qint64 selectedCount() const;
    QAction *addKey(const QString &text, const QKeySequence &keys);
    QString layoutId() const;
    int stateWidth() const;
    int leastOf(const models::KeyColumnSpec &spec) const;

    models::KeyBrowserController *m_browser;
    models::Settings *m_settings;
    CellDelegate *m_text;
    CellDelegate *m_figures;
    KeyDelegate *m_key;
    CellDelegate *m_result;
    StateDelegate *m_state;
    FrozenColumns *m_frozen;
    bool m_restoringColumns = false;
    QString m_setUpFor; ///< layoutId() of the columns as they stand
    QStringList m_chosen; ///< columns that a person showed, hid or resized, by id: they stay as they are
    QStringList m_folded; ///< columns that have no room
    QHash<int, int> m_wanted; ///< widths in pixels, where the rows read so far ask for others than the usual
    QList<int> m_empty; ///< columns in which those rows say nothing: where there is little room they go first
    bool m_restoringSelection = false;
};

} // namespace idemdesk::ui
