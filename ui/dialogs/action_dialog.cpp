// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/action_dialog.h"

#include "models/actions/action_words.h"
#include "models/format/display_text.h"
#include "ui/dialogs/enter_keys.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"
#include "ui/widgets/environment_band.h"
#include "ui/widgets/notice_bar.h"
#include "ui/widgets/plain_label.h"

#include <QCheckBox>
#include <QFormLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTabWidget>
#include <QTableWidget>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

/// Rows that the list of what is left alone shows; the rest is counted.
constexpr qsizetype kMostSkipped = 1'000;

QTableWidget *tableOf(const QStringList &header, const QList<QStringList> &rows, const QString &name, QWidget *parent)
{
    auto *table = new QTableWidget(int(rows.size()), int(header.size()), parent);
    table->setAccessibleName(name);
    table->setHorizontalHeaderLabels(header);
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setShowGrid(false);
    table->setWordWrap(false);
    table->setTabKeyNavigation(false);
    table->verticalHeader()->hide();
    table->verticalHeader()->setDefaultSectionSize(kCompactRowHeight);
    table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    table->horizontalHeader()->setStretchLastSection(true);
    for (int row = 0; row < rows.size(); ++row) {
        for (int column = 0; column < rows.at(row).size(); ++column) {
            const QString text = models::displayText(rows.at(row).at(column));
            auto *item = new QTableWidgetItem(text);
            item->setToolTip(text);
            table->setItem(row, column, item);
        }
    }
    table->resizeColumnsToContents();
    return table;
}

} // namespace

ActionDialog::ActionDialog(const ActionQuestion &question, QWidget *parent)
    : QDialog(parent)
    , m_reason(new QLineEdit(this))
    , m_ticket(new QLineEdit(this))
    , m_go(new QPushButton(this))
{
    setObjectName(u"actionDialog"_s);
    const QString phrase = models::verbPhrase(question.verb, question.rows);
    setWindowTitle(phrase);
    auto *heading = plainLabel(tr("%1 of %2?").arg(phrase, models::displayText(question.relation, 80)), this);
    heading->setFont(Theme::title());
    auto *place = plainLabel(models::displayText(question.connection, 160), this);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(4 * kGrid, 4 * kGrid, 4 * kGrid, 4 * kGrid);
    layout->setSpacing(2 * kGrid);
    const bool production = question.environment == sql::Environment::Production;
    if (QLabel *band = environmentBand(question.environment, question.connection, this)) {
        band->setObjectName(u"actionEnvironment"_s);
        layout->addWidget(band);
        place->hide();
    }
    layout->addWidget(heading);
    layout->addWidget(place);
    if (!question.warnings.isEmpty()) {
        auto *warnings = new NoticeBar(this);
        warnings->showNotice(NoticeBar::Kind::Warning, question.warnings.first(), question.warnings.mid(1, 2).join(u' '),
            question.warnings.size() > 3 ? question.warnings.join(u'\n') : QString());
        layout->addWidget(warnings);
    }
    auto *plan = tableOf(question.header, question.plan, tr("What is changed"), this);
    plan->setObjectName(u"actionPlan"_s);
    if (question.skipped.isEmpty()) {
        layout->addWidget(plan, 1);
    } else {
        auto *tabs = new QTabWidget(this);
        tabs->addTab(plan, tr("What is changed"));
        auto *skipped = tableOf(question.skippedHeader, question.skipped.mid(0, kMostSkipped), tr("What is left alone"), this);
        skipped->setObjectName(u"actionSkipped"_s);
        tabs->addTab(skipped, tr("What is left alone (%1)").arg(question.skipped.size()));
        layout->addWidget(tabs, 1);
    }
    QStringList facts;
    facts += question.undoable ? question.undoText : tr("This cannot be undone.");
    if (question.approval) {
        facts += tr("Another person must approve it before it runs.");
    } else if (!question.approvedBy.isEmpty()) {
        facts += tr("%1 approved it.").arg(models::displayText(question.approvedBy, 60));
    }
    facts += tr("Each row is compared with what is shown here once more; one that changed meanwhile is left alone.");
    auto *told = plainLabel(facts.join(u' '), this);
    told->setObjectName(u"actionFacts"_s);
    told->setWordWrap(true);
    layout->addWidget(told);

    auto *form = new QFormLayout;
    form->setSpacing(2 * kGrid);
    m_reason->setObjectName(u"actionReason"_s);
    m_reason->setPlaceholderText(tr("Why it is done; the trail keeps it"));
    m_ticket->setObjectName(u"actionTicket"_s);
    m_ticket->setPlaceholderText(tr("Optional"));
    m_reason->setText(question.reason);
    m_ticket->setText(question.ticket);
    m_reason->setReadOnly(!question.approvedBy.isEmpty());
    m_ticket->setReadOnly(!question.approvedBy.isEmpty());
    form->addRow(tr("&Reason"), m_reason);
    form->addRow(tr("&Ticket"), m_ticket);
    if (production || !question.undoable) {
        m_toType = question.target;
        m_typed = new QLineEdit(this);
        m_typed->setObjectName(u"actionTyped"_s);
        form->addRow(tr("T&ype “%1” to confirm").arg(models::displayText(question.target, 60)), m_typed);
        connect(m_typed, &QLineEdit::textChanged, this, &ActionDialog::refresh);
    }
    if (question.throttle) {
        m_fast = new QCheckBox(tr("Run &without pauses, and do not look at standbys, locks and vacuum"), this);
        m_fast->setObjectName(u"actionFast"_s);
        form->addRow(QString(), m_fast);
    }
    layout->addLayout(form);

    auto *buttons = new QHBoxLayout;
    auto *cancel = new QPushButton(tr("Cancel"), this);
    cancel->setObjectName(u"actionCancel"_s);
    cancel->setDefault(true);
    m_go->setObjectName(u"actionGo"_s);
    m_go->setText(question.approval ? tr("Ask to %1").arg(phrase.left(1).toLower() + phrase.mid(1)) : phrase);
    m_go->setIcon(themedIcon(question.verb == sql::ActionVerb::Purge ? u"purge"_s : u"recovery"_s,
        question.undoable ? std::nullopt : std::optional(Token::Danger)));
    buttons->addStretch(1);
    buttons->addWidget(m_go);
    buttons->addWidget(cancel);
    layout->addLayout(buttons);
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_go, &QPushButton::clicked, this, &QDialog::accept);
    connect(m_reason, &QLineEdit::textChanged, this, &ActionDialog::refresh);
    QList<QWidget *> fields;
    for (QWidget *field : std::initializer_list<QWidget *> { m_reason, m_ticket, m_typed, m_fast }) {
        if (field != nullptr) {
            fields += field;
        }
    }
    guideEnter(this, fields, m_go);
    resize(720, 520);
    m_reason->setFocus();
    refresh();
}

void ActionDialog::refresh()
{
    const bool said = !m_reason->text().trimmed().isEmpty();
    const bool typed = m_typed == nullptr || m_typed->text() == m_toType;
    m_go->setEnabled(said && typed);
    m_go->setToolTip(!said ? tr("Give a reason first.") : !typed ? tr("Type the name of the target first.") : QString());
}

QString ActionDialog::reason() const
{
    return m_reason->text().trimmed();
}

QString ActionDialog::ticket() const
{
    return m_ticket->text().trimmed();
}

bool ActionDialog::throttled() const
{
    return m_fast == nullptr || !m_fast->isChecked();
}

} // namespace idemdesk::ui
