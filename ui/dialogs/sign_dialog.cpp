// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/sign_dialog.h"

#include "models/format/display_text.h"
#include "models/review/review_report.h"
#include "ui/theme/theme.h"
#include "ui/widgets/button_row.h"
#include "ui/widgets/enter_keys.h"
#include "ui/widgets/environment_band.h"
#include "ui/widgets/forms.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"

#include <QComboBox>
#include <QPlainTextEdit>
#include <QPushButton>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

constexpr int kSignDialogWidth = 600; // pixels
constexpr int kNoteHeight = 96;
constexpr int kFoundChars = 600;

} // namespace

SignDialog::SignDialog(const models::ReviewReport &report, const models::ReviewItem &item, const QString &login,
    const QString &connection, sql::Environment environment, QWidget *parent)
    : QDialog(parent)
    , m_verdict(new QComboBox(this))
    , m_note(new QPlainTextEdit(this))
    , m_buttons(new ButtonRow(this))
    , m_go(m_buttons->addGo(u"signGo"_s, tr("&Sign")))
{
    setObjectName(u"signDialog"_s);
    setWindowTitle(tr("Sign an answer"));
    setMinimumWidth(kSignDialogWidth);
    auto *layout = dialogColumn(this);
    if (QLabel *band = environmentBand(environment, connection, this)) {
        layout->addWidget(band);
    }
    QLabel *heading = titleLabel(item.question->text(), this);
    heading->setWordWrap(true);
    layout->addWidget(heading);
    layout->addWidget(noteLabel(models::displayText(report.title), u"signTable"_s, this));
    const auto say = [&](const QString &text) {
        QLabel *label = readableLabel(QString(), this);
        label->setText(models::displayText(text, kFoundChars));
        layout->addWidget(label);
    };
    if (!item.seen.isEmpty()) {
        say(tr("The console found: %1").arg(item.seen));
    }
    if (item.answer) {
        say(models::reviewSignature(item));
    }
    auto *fields = new QWidget(this);
    QFormLayout *form = formColumn(fields);
    m_verdict->setObjectName(u"signVerdict"_s);
    for (const sql::ReviewVerdict verdict : sql::kAllOf<sql::ReviewVerdict>) {
        m_verdict->addItem(models::reviewStandLabel(models::standOf(verdict)), int(verdict));
    }
    m_verdict->setPlaceholderText(tr("Choose an answer"));
    m_verdict->setCurrentIndex(-1); // none is meant until a person says so
    m_note->setObjectName(u"signNote"_s);
    m_note->setTabChangesFocus(true);
    m_note->setFixedHeight(kNoteHeight);
    m_note->setPlaceholderText(tr("How it is, and how you know"));
    addRow(form, tr("&Answer"), m_verdict);
    addRow(form, tr("&Note"), m_note);
    layout->addWidget(fields);
    layout->addWidget(wrappedLabel(tr("It is signed as %1 and stays in the audit log, where everyone who may look "
                                      "reads it. A newer answer takes its place.")
                                       .arg(models::displayText(login)),
        this));
    m_buttons->setDefault(m_buttons->addStay(u"signCancel"_s, tr("Cancel")));
    layout->addWidget(m_buttons);
    connect(m_go, &QPushButton::clicked, this, &QDialog::accept);
    connect(m_note, &QPlainTextEdit::textChanged, this, &SignDialog::refresh);
    connect(m_verdict, &QComboBox::currentIndexChanged, this, &SignDialog::refresh);
    refresh();
    guideEnter(this, { m_verdict, m_note }, m_go);
    m_verdict->setFocus();
}

void SignDialog::fillIn(sql::ReviewVerdict verdict, const QString &note)
{
    m_verdict->setCurrentIndex(m_verdict->findData(int(verdict)));
    m_note->setPlainText(note);
}

sql::ReviewVerdict SignDialog::verdict() const
{
    return static_cast<sql::ReviewVerdict>(m_verdict->currentData().toInt());
}

QString SignDialog::note() const
{
    return m_note->toPlainText().trimmed();
}

void SignDialog::refresh()
{
    const bool tooLong = note().toUcs4().size() > sql::kMostReviewText;
    m_go->setEnabled(!note().isEmpty() && !tooLong && m_verdict->currentIndex() >= 0);
    m_buttons->showReason(tooLong ? tr("The note is too long.") : QString());
}

} // namespace idemdesk::ui
