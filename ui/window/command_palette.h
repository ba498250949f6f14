// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/palette/palette_model.h"

#include <QDialog>

class QLabel;
class QLineEdit;
class QListView;

namespace idemdesk::models {
class KeyLookup;
}

namespace idemdesk::ui {

/// One field that finds everything one can go to or do, best first. Up and Down choose while one types, Enter takes it,
/// Escape leaves. What was typed is looked up as a key, too.
class CommandPalette final : public QDialog
{
    Q_OBJECT

public:
    /// Takes the lookup as its own.
    CommandPalette(const QList<models::PaletteEntry> &entries, models::KeyLookup *keys, QWidget *parent);

signals:
    void chosen(const idemdesk::models::PaletteEntry &entry); ///< the palette is closed by then

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    void layOut();
    void wire();
    void takeTyped(const QString &text);
    void takeKeys();
    void move(int rows);
    void choose();
    bool onHead(const QPoint &place) const; ///< in the list's viewport
    void sync(); ///< the current row and what the line beneath says

    models::PaletteModel *m_model;
    models::KeyLookup *m_keys;
    QLineEdit *m_typed;
    QListView *m_list;
    QLabel *m_note;
};

} // namespace idemdesk::ui
