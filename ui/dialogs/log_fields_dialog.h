// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <array>

class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;

namespace idemdesk::ui {

/// Where a service's log lines have the key, its scope and the rest, tried on a line while it is filled in. Nothing is
/// read or stored.
class LogFieldsDialog final : public QDialog
{
    Q_OBJECT

public:
    static constexpr int kFields = 10;

    /// places: as places() gave them before; empty for the usual names.
    explicit LogFieldsDialog(const QStringList &places, QWidget *parent = nullptr);

    /// "NAME=POINTER" of every field that is filled in, as models::mappingFrom() takes it.
    QStringList places() const;

private:
    QWidget *buildForm(const QStringList &places);
    void refresh();

    std::array<QLineEdit *, kFields> m_fields {};
    QPlainTextEdit *m_line;
    QLabel *m_read;
    QPushButton *m_use;
};

} // namespace idemdesk::ui
