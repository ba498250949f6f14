// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/regions/align_bar.h"

#include "models/format/display_text.h"
#include "models/format/labels.h"
#include "models/format/quantities.h"
#include "models/triage/frozen_set.h"
#include "ui/dialogs/action_dialog.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/questions.h"

#include <QLabel>
#include <QMap>
#include <QPushButton>
#include <tuple>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

const sql::KeyRecord &sideRow(const models::RegionDifference &difference, int side)
{
    return difference.rows.at(std::size_t(side)).constFirst().record;
}

} // namespace

AlignBar::AlignBar(const QString &journalPath, QWidget *parent)
    : QWidget(parent)
    , m_aligner(new models::RegionAligner(journalPath, this))
    , m_text(readableLabel(u"alignText"_s, this))
    , m_stop(new QPushButton(tr("Stop aligning"), this))
{
    setObjectName(u"alignBar"_s);
    m_stop->setObjectName(u"alignStop"_s);
    auto *row = barRow({}, this);
    row->addWidget(m_text, 1);
    row->addWidget(m_stop);
    connect(m_stop, &QPushButton::clicked, m_aligner, &models::RegionAligner::cancel);
    connect(m_aligner, &models::RegionAligner::changed, this, &AlignBar::sync);
    connect(m_aligner, &models::RegionAligner::ended, this, [this] {
        m_said = m_aligner->failed() ? tr("Not all keys were aligned.") : tr("Aligned.");
        sync();
        emit aligned();
    });
    sync();
}

void AlignBar::ask(const QList<models::RegionDifference> &differences, const std::array<models::AlignSide, 2> &sides,
    const About &about)
{
    if (m_aligner->running() || m_dialog != nullptr) {
        return;
    }
    m_aligner->plan(differences, sides);
    if (m_aligner->plan().steps.isEmpty()) {
        m_said = tr("No key of the list may be aligned.") + u' ' + models::displayText(reasons().join(u' '), 400);
        sync();
        return;
    }
    m_said.clear();
    sync();
    openReview(about);
}

/// Each once.
QStringList AlignBar::reasons() const
{
    QStringList reasons;
    for (const models::AlignLeft &left : m_aligner->plan().left) {
        reasons += left.why;
    }
    reasons.removeDuplicates();
    return reasons;
}

void AlignBar::openReview(const About &about)
{
    ActionQuestion question;
    question.verb = sql::ActionVerb::Align;
    question.rows = m_aligner->plan().steps.size();
    question.title = about.title;
    question.relation = about.relation;
    question.environment = about.environment;
    addKeys(&question);
    addSides(&question, about);
    if (!about.all) {
        question.warnings += tr("Not all keys were looked at: others may differ, too.");
    }
    question.throttle = true;
    m_dialog = new ActionDialog(question, this);
    connect(m_dialog, &QDialog::accepted, this, [this, dialog = m_dialog.data(), group = about.group] {
        m_aligner->run(group, dialog->reason(), dialog->ticket(), dialog->throttled());
    });
    openDialog(m_dialog);
}

/// The plan by side and states, each key with why it is changed, and what is left alone.
void AlignBar::addKeys(ActionQuestion *question) const
{
    const models::AlignPlan &plan = m_aligner->plan();
    const auto &sides = m_aligner->sides();
    question->header = QStringList { tr("Keys"), tr("Changed in"), tr("From"), tr("To") };
    question->keysHeader = QStringList { tr("In"), tr("Scope"), tr("Key"), tr("From"), tr("To"), tr("Why") };
    question->skippedHeader = QStringList { tr("Scope"), tr("Key"), tr("Why") };
    QMap<std::tuple<int, QString, QString>, qint64> counts;
    for (const models::AlignStep &step : plan.steps) {
        const models::RegionDifference &difference = m_aligner->differences().at(step.difference);
        const QString from = models::stateLabel(sideRow(difference, step.side).state);
        const QString to = models::stateLabel(sideRow(difference, 1 - step.side).state);
        ++counts[{ step.side, from, to }];
        if (question->keys.size() < kMostListed) {
            question->keys.append({ sides.at(std::size_t(step.side)).label,
                models::scopeText(difference.record().scope), difference.record().key.text, from, to,
                models::ruleText(difference, { sides[0].label, sides[1].label }) });
        }
    }
    for (auto it = counts.cbegin(); it != counts.cend(); ++it) {
        const auto &[side, from, to] = it.key();
        question->plan.append({ models::countText(it.value()), sides.at(std::size_t(side)).label, from, to });
    }
    for (const models::AlignLeft &left : plan.left) {
        const sql::KeyRecord &record = m_aligner->differences().at(left.difference).record();
        question->skipped.append({ models::scopeText(record.scope), record.key.text, left.why });
    }
}

/// Where it is done, and by whose rules.
void AlignBar::addSides(ActionQuestion *question, const About &about) const
{
    const auto &sides = m_aligner->sides();
    QStringList places;
    for (std::size_t side = 0; side < sides.size(); ++side) {
        const qsizetype steps = m_aligner->steps(int(side));
        if (steps == 0) {
            continue;
        }
        const sql::RegisteredTarget &registered = *sides.at(side).registered;
        places += tr("%1: %2", "a member, where it is").arg(sides.at(side).label, about.places.at(side));
        question->target = registered.name;
        question->approval = question->approval || (registered.approvalAbove && steps > *registered.approvalAbove);
        question->undoText
            = tr("It can be undone for %1, as long as nobody touches the key.").arg(registered.undoWindow);
    }
    question->connection = places.join(u" · "_s);
}

void AlignBar::forget()
{
    if (m_dialog != nullptr) {
        m_dialog->reject();
    }
    m_said.clear();
    m_aligner->forget();
}

void AlignBar::sync()
{
    const bool running = m_aligner->running();
    QStringList lines { running ? tr("Aligning…") : m_said };
    lines += m_aligner->lines();
    lines.removeAll(QString());
    m_text->setText(lines.join(u'\n'));
    m_stop->setVisible(running);
    setVisible(!lines.isEmpty());
}

} // namespace idemdesk::ui
