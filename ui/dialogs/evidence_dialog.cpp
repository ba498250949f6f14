// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/evidence_dialog.h"

#include "models/format/display_text.h"
#include "ui/dialogs/reason_form.h"
#include "ui/widgets/button_row.h"
#include "ui/widgets/enter_keys.h"
#include "ui/widgets/environment_band.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"

#include <QCheckBox>
#include <QPushButton>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

constexpr int kEvidenceWidth = 640; // pixels
constexpr int kNameChars = 80;

int countOf(qint64 count)
{
    return int(std::min<qint64>(count, INT_MAX));
}

} // namespace

EvidenceDialog::EvidenceDialog(const models::StatementResult &result, const Place &place, QWidget *parent)
    : QDialog(parent)
    , m_sure(models::EvidenceController::recordable(result, false))
    , m_all(models::EvidenceController::recordable(result, true))
    , m_vouched(new QCheckBox(this))
    , m_form(new ReasonForm(
          u"evidence"_s, place.environment == sql::Environment::Production ? result.facts.name : QString(), this))
    , m_count(titleLabel({}, this))
{
    setObjectName(u"evidenceDialog"_s);
    setWindowTitle(tr("Record as evidence"));
    setMinimumWidth(kEvidenceWidth);
    auto *layout = dialogColumn(this);
    if (QLabel *band = environmentBand(place.environment, place.connection, this)) {
        layout->addWidget(band);
    }
    m_count->setWordWrap(true);
    layout->addWidget(m_count);
    layout->addWidget(wrappedLabel(
        tr("%1 (provider %2), compared with %3.")
            .arg(models::displayText(result.facts.name, kNameChars), models::displayText(result.provider, kNameChars),
                models::displayText(place.table, kNameChars)),
        this));
    layout->addWidget(wrappedLabel(
        tr("Each finding is kept with its line, the file's SHA-256 and your login, %1. Nobody can change or remove it "
           "afterwards. No key changes.")
            .arg(models::displayText(place.login, kNameChars)),
        this));
    m_vouched->setObjectName(u"evidenceVouched"_s);
    m_vouched->setText(tr(
        "The statement is compl&ete for its time: also record the %Ln “Only here”", nullptr, countOf(m_all - m_sure)));
    m_vouched->setToolTip(tr("You vouch for it. Keys that are “only here” are then recorded as not in the statement."));
    m_vouched->setVisible(m_all > m_sure);
    if (m_all > m_sure) {
        m_form->addChoice(m_vouched);
    }
    layout->addWidget(m_form);
    auto *buttons = new ButtonRow(this);
    m_go = buttons->addGo(u"evidenceGo"_s, {});
    buttons->setDefault(buttons->addStay(u"evidenceCancel"_s, tr("Cancel")));
    layout->addWidget(buttons);
    connect(m_go, &QPushButton::clicked, this, &QDialog::accept);
    connect(m_form, &ReasonForm::changed, this, &EvidenceDialog::refresh);
    connect(m_vouched, &QCheckBox::toggled, this, &EvidenceDialog::refresh);
    guideEnter(this, m_form->fields(), m_go);
    m_form->focusFirst();
    refresh();
}

models::EvidenceReason EvidenceDialog::reason() const
{
    return { m_form->reason(), m_form->ticket(), m_vouched->isChecked() };
}

void EvidenceDialog::refresh()
{
    const int count = countOf(m_vouched->isChecked() ? m_all : m_sure);
    m_count->setText(tr("Record %Ln finding(s) as evidence?", nullptr, count));
    m_go->setText(tr("Rec&ord %Ln finding(s)", nullptr, count));
    m_go->setEnabled(count > 0 && m_form->complete());
}

} // namespace idemdesk::ui
