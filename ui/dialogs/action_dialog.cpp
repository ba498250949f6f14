// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/action_dialog.h"

#include "models/actions/action_words.h"
#include "models/connection/connection_controller.h"
#include "models/format/display_text.h"
#include "models/format/labels.h"
#include "models/format/quantities.h"
#include "ui/dialogs/reason_form.h"
#include "ui/theme/console_style.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"
#include "ui/widgets/button_row.h"
#include "ui/widgets/enter_keys.h"
#include "ui/widgets/environment_band.h"
#include "ui/widgets/flow_view.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/notice_bar.h"
#include "ui/widgets/table_setup.h"

#include <QCheckBox>
#include <QHash>
#include <QLabel>
#include <QPushButton>
#include <QTableWidget>
#include <QTabWidget>
#include <utility>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

QTableWidget *planTable(const QString &objectName, const QString &accessibleName, const QStringList &header,
    const QList<QStringList> &rows, QWidget *parent)
{
    QTableWidget *table = textTable({ objectName, accessibleName, nullptr, {}, QAbstractItemView::ExtendedSelection },
        header, rows, kCompactRowHeight, parent);
    table->resizeColumnsToContents();
    return table;
}

/// What keeps most of them out, and how many.
std::pair<QString, int> mostlySkippedFor(const QList<QStringList> &skipped)
{
    QHash<QString, int> times;
    std::pair<QString, int> most;
    for (const QStringList &line : skipped) {
        if (const int now = ++times[line.constLast()]; now > most.second) {
            most = { line.constLast(), now };
        }
    }
    return most;
}

/// How many are left alone, and why most of them: "4 keys skipped. Already succeeded in eu: align the key instead."
QString skippedText(const ActionQuestion &question)
{
    const int skipped = int(question.skipped.size());
    const QString what = ofSeveralRows(question) ? ActionDialog::tr("%Ln row(s) skipped", nullptr, skipped)
                                                 : ActionDialog::tr("%Ln key(s) skipped", nullptr, skipped);
    const auto [reason, times] = mostlySkippedFor(question.skipped);
    if (reason.isEmpty()) {
        return what + u'.';
    }
    const QString why = models::displayText(reason, 200);
    return times < skipped ? ActionDialog::tr("%1. For %2 of them: %3", "keys skipped, number, a sentence")
                                 .arg(what, models::countText(times), why)
                           : ActionDialog::tr("%1. %2", "keys skipped, a sentence").arg(what, why);
}

} // namespace

ActionQuestion questionAbout(
    sql::ActionVerb verb, qint64 rows, const models::TargetEntry &entry, const models::ConnectionController &connection)
{
    ActionQuestion question;
    question.verb = verb;
    question.rows = rows;
    question.target = entry.registration->name;
    question.title = models::targetTitle(entry.target.profile);
    question.relation = entry.target.profile.relation;
    question.connection = connection.title();
    question.environment = connection.settings().environment;
    question.approval = entry.registration->approvalAbove && rows > *entry.registration->approvalAbove;
    return question;
}

bool ofSeveralRows(const ActionQuestion &question)
{
    return question.keysAmong && *question.keysAmong < question.rows;
}

ActionDialog::ActionDialog(const ActionQuestion &question, QWidget *parent)
    : QDialog(parent)
{
    setObjectName(u"actionDialog"_s);
    const QString phrase = models::verbPhrase(question.verb, question.rows, question.keysAmong);
    setWindowTitle(phrase);
    auto *heading = titleLabel(tr("%1 of %2?").arg(phrase, models::displayText(question.title, 80)), this);
    QLabel *table = noteLabel(models::displayText(question.relation, 160), u"actionTable"_s, this);
    auto *place = wrappedLabel(models::displayText(question.connection, 600), this); // one for each of a group
    auto *layout = dialogColumn(this);
    if (QLabel *band = environmentBand(question.environment, question.connection, this)) {
        band->setObjectName(u"actionEnvironment"_s);
        layout->addWidget(band);
        place->hide();
    }
    layout->addWidget(heading);
    layout->addWidget(table);
    layout->addWidget(place);
    if (!question.size.isEmpty()) {
        auto *size = wrappedLabel(question.size, this);
        size->setObjectName(u"actionSize"_s);
        layout->addWidget(size);
    }
    if (question.approval) {
        auto *approval = new NoticeBar(this);
        approval->setObjectName(u"actionApproval"_s);
        approval->showNotice(NoticeBar::Kind::Info, tr("Another person must approve it first."));
        layout->addWidget(approval);
    }
    if (!question.warnings.isEmpty()) {
        auto *warnings = new NoticeBar(this);
        warnings->showNotice(NoticeBar::Kind::Warning, question.warnings.first(),
            question.warnings.mid(1, 2).join(u' '),
            question.warnings.size() > 3 ? question.warnings.join(u'\n') : QString());
        layout->addWidget(warnings);
    }
    if (!question.linkedWarning.isEmpty()) {
        auto *linked = new NoticeBar(this);
        linked->setObjectName(u"actionLinked"_s);
        linked->showNotice(NoticeBar::Kind::Warning, question.linkedWarning, {}, {}, question.warningLink);
        connect(linked, &NoticeBar::primaryClicked, this, &ActionDialog::reject);
        connect(linked, &NoticeBar::primaryClicked, this, &ActionDialog::linkClicked);
        layout->addWidget(linked);
    }
    if (!question.flows.isEmpty()) {
        layout->addWidget(new FlowView(question.flows, ofSeveralRows(question), this));
    }
    addPlan(question, layout);
    layout->addWidget(buildForm(question));
    layout->addWidget(buildButtons(question));
    resize(720, 600);
    m_form->focusFirst();
    refresh();
}

void ActionDialog::addPlan(const ActionQuestion &question, QVBoxLayout *layout)
{
    auto *plan = planTable(u"actionPlan"_s, tr("Will change"), question.header, question.plan, this);
    if (question.keys.isEmpty() && question.skipped.isEmpty()) {
        layout->addWidget(plan, 1);
    } else {
        auto *tabs = new QTabWidget(this);
        tabs->addTab(plan, tr("Will change"));
        const auto addList = [this, tabs](const QString &name, const QString &title, const QStringList &header,
                                 const QList<QStringList> &rows, qint64 all) {
            if (!rows.isEmpty()) {
                tabs->addTab(planTable(name, title, header, rows.mid(0, kMostListed), this),
                    tr("%1 (%2)", "title of a list, number of its rows").arg(title, models::countText(all)));
            }
        };
        addList(u"actionKeys"_s, ofSeveralRows(question) ? tr("Rows") : tr("Keys"), question.keysHeader, question.keys,
            question.rows);
        addList(u"actionSkipped"_s, tr("Skipped"), question.skippedHeader, question.skipped, question.skipped.size());
        layout->addWidget(tabs, 1);
    }
    QStringList facts;
    if (!question.movesTo.isEmpty()) {
        facts += tr("The rows move to %1.").arg(models::displayText(question.movesTo, 80));
    }
    facts += question.undoable ? question.undoText : tr("This cannot be undone.");
    if (!question.approvedBy.isEmpty()) {
        facts += tr("%1 approved it.").arg(models::displayText(question.approvedBy, 60));
    }
    facts += tr("Rows changed since are skipped.");
    auto *told = wrappedLabel(facts.join(u' '), this);
    told->setObjectName(u"actionFacts"_s);
    layout->addWidget(told);
    if (!question.skipped.isEmpty()) {
        auto *left = wrappedLabel(skippedText(question), this);
        left->setObjectName(u"actionLeft"_s);
        layout->addWidget(left);
    }
}

QWidget *ActionDialog::buildForm(const ActionQuestion &question)
{
    const bool type = question.environment == sql::Environment::Production || !question.undoable;
    m_form = new ReasonForm(u"action"_s, type ? question.target : QString(), this);
    if (!question.approvedBy.isEmpty()) {
        m_form->fix(question.reason, question.ticket);
    } else {
        m_form->fill(question.reason, question.ticket);
    }
    if (question.throttle) {
        m_fast = new QCheckBox(tr("Full &speed (ignore replicas, locks, vacuum)"), this);
        m_fast->setObjectName(u"actionFast"_s);
        m_form->addChoice(m_fast);
    }
    connect(m_form, &ReasonForm::changed, this, &ActionDialog::refresh);
    return m_form;
}

QWidget *ActionDialog::buildButtons(const ActionQuestion &question)
{
    const QString phrase = models::verbPhrase(question.verb, question.rows, question.keysAmong);
    auto *buttons = new ButtonRow(this);
    m_go = buttons->addGo(u"actionGo"_s,
        question.approval ? tr("Request approval to %1").arg(phrase.left(1).toLower() + phrase.mid(1)) : phrase);
    const bool purge = question.verb == sql::ActionVerb::Purge;
    const bool danger = purge || !question.undoable;
    setLook(m_go, danger ? ButtonLook::Danger : ButtonLook::Primary);
    m_go->setIcon(themedIcon(purge ? u"purge"_s : u"recovery"_s, danger ? Token::OnDanger : Token::OnAccent));
    buttons->setDefault(buttons->addStay(u"actionCancel"_s, tr("Cancel")));
    connect(m_go, &QPushButton::clicked, this, &QDialog::accept);
    guideEnter(this, m_form->fields(), m_go);
    return buttons;
}

void ActionDialog::refresh()
{
    m_go->setEnabled(m_form->complete());
    m_go->setToolTip(m_form->reason().isEmpty() ? tr("Give a reason first.")
            : !m_form->typed()                  ? tr("Type the name of the table first.")
                                                : QString());
}

QString ActionDialog::reason() const
{
    return m_form->reason();
}

QString ActionDialog::ticket() const
{
    return m_form->ticket();
}

bool ActionDialog::throttled() const
{
    return m_fast == nullptr || !m_fast->isChecked();
}

} // namespace idemdesk::ui
