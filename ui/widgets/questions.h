// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFileDialog>
#include <QMessageBox>

namespace idemdesk::ui {

/// Opens a dialog over its window, which goes on working; when it closes it is deleted.
void openDialog(QDialog *dialog);

/// A question about what was asked for, as plain text. Its answers are added by addAnswer(), then openQuestion() shows
/// it.
QMessageBox *questionBox(QWidget *parent, const QString &objectName, const QString &title, const QString &text,
    const QString &information = {}, QMessageBox::Icon icon = QMessageBox::Question);
QPushButton *addAnswer(QMessageBox *box, const QString &objectName, const QString &text,
    QMessageBox::ButtonRole role = QMessageBox::DestructiveRole);
/// stay: the answer that changes nothing; it is the default. "Cancel" where it is empty.
void openQuestion(QMessageBox *box, const QString &stay = {});

/// Asks where to write a file. The first pattern of the chosen filter gives the suffix that is added.
QFileDialog *saveFileDialog(QWidget *parent, const QString &objectName, const QString &title, const QString &suggestion,
    const QStringList &filters);
/// Asks for a file to read.
QFileDialog *openFileDialog(QWidget *parent, const QString &objectName, const QString &title,
    const QStringList &filters, QFileDialog::FileMode mode = QFileDialog::ExistingFile);

} // namespace idemdesk::ui
