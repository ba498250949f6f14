// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/questions.h"

#include <QCoreApplication>
#include <QPushButton>
#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

struct QuestionTexts {
    Q_DECLARE_TR_FUNCTIONS(idemdesk::ui::QuestionTexts)
};

/// "csv" of "Comma-separated values (*.csv)"; empty where it stands for any file.
QString suffixOf(const QString &filter)
{
    static const QRegularExpression pattern(u"\\*\\.(\\w+)"_s);
    return pattern.match(filter).captured(1);
}

} // namespace

void openDialog(QDialog *dialog)
{
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

QMessageBox *questionBox(QWidget *parent, const QString &objectName, const QString &title, const QString &text,
    const QString &information, QMessageBox::Icon icon)
{
    auto *box = new QMessageBox(icon, title, text, QMessageBox::NoButton, parent);
    box->setObjectName(objectName);
    box->setTextFormat(Qt::PlainText);
    box->setInformativeText(information);
    return box;
}

QPushButton *addAnswer(QMessageBox *box, const QString &objectName, const QString &text, QMessageBox::ButtonRole role)
{
    QPushButton *button = box->addButton(text, role);
    button->setObjectName(objectName);
    return button;
}

void openQuestion(QMessageBox *box, const QString &stay)
{
    const QString text = stay.isEmpty() ? QuestionTexts::tr("Cancel") : stay;
    box->setDefaultButton(box->addButton(text, QMessageBox::RejectRole));
    openDialog(box);
}

QFileDialog *saveFileDialog(QWidget *parent, const QString &objectName, const QString &title, const QString &suggestion,
    const QStringList &filters)
{
    auto *dialog = new QFileDialog(parent, title);
    dialog->setObjectName(objectName);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    if (!filters.isEmpty()) {
        dialog->setNameFilters(filters);
        dialog->setDefaultSuffix(suffixOf(filters.constFirst()));
    }
    if (!suggestion.isEmpty()) {
        dialog->selectFile(suggestion);
    }
    QObject::connect(dialog, &QFileDialog::filterSelected, dialog,
        [dialog](const QString &filter) { dialog->setDefaultSuffix(suffixOf(filter)); });
    return dialog;
}

QFileDialog *openFileDialog(QWidget *parent, const QString &objectName, const QString &title,
    const QStringList &filters, QFileDialog::FileMode mode)
{
    auto *dialog = new QFileDialog(parent, title);
    dialog->setObjectName(objectName);
    dialog->setFileMode(mode);
    if (!filters.isEmpty()) {
        dialog->setNameFilters(filters);
    }
    return dialog;
}

} // namespace idemdesk::ui
