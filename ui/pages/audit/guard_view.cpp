// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/audit/guard_view.h"

#include "models/actions/action_center.h"
#include "models/audit/audit_controller.h"
#include "models/format/display_text.h"
#include "ui/theme/icons.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/table_setup.h"

#include <QHeaderView>
#include <QPushButton>
#include <QStandardItemModel>
#include <QTableView>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

GuardView::GuardView(
    models::ActionCenter *center, models::AuditController *audit, models::Settings *settings, QWidget *parent)
    : QWidget(parent)
    , m_center(center)
    , m_audit(audit)
    , m_text(wrappedLabel({}, this))
    , m_upgrade(new QPushButton(tr("Upgrade…"), this))
    , m_table(new QTableView(this))
    , m_model(new QStandardItemModel(0, 3, this))
{
    m_text->setObjectName(u"guardText"_s);
    m_text->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    m_upgrade->setObjectName(u"guardUpgrade"_s);
    setUpTable(m_table,
        { u"guardFindings"_s, tr("Findings about the guard"), m_model, {}, QAbstractItemView::ExtendedSelection },
        settings);
    auto *layout = tabColumn(this);
    layout->addWidget(m_text);
    layout->addWidget(m_upgrade, 0, Qt::AlignLeft);
    layout->addWidget(m_table, 1);
    layout->addStretch(0);
    connect(m_upgrade, &QPushButton::clicked, this, &GuardView::upgradeClicked);
}

int GuardView::findings() const
{
    return m_model->rowCount();
}

void GuardView::sync()
{
    const sql::ConsoleStatus &status = m_center->status();
    m_model->clear();
    m_model->setHorizontalHeaderLabels({ tr("Severity"), tr("Finding"), tr("What to do") });
    const auto &check = m_audit->check();
    const QList<sql::GuardFinding> trail = check ? check->guardFindings() : QList<sql::GuardFinding>();
    const QList<sql::GuardFinding> findings = trail + status.findings;
    for (const sql::GuardFinding &finding : findings) {
        auto *severity = new QStandardItem(
            themedIcon(finding.red ? u"error"_s : u"warning"_s, finding.red ? Token::Danger : Token::Warning),
            finding.red ? tr("Red") : tr("Amber"));
        auto *text = new QStandardItem(models::displayText(finding.finding, 400));
        auto *remedy = new QStandardItem(models::displayText(finding.remedy, 400));
        for (QStandardItem *item : { severity, text, remedy }) {
            item->setToolTip(item->text());
        }
        m_model->appendRow({ severity, text, remedy });
    }
    m_table->setVisible(!findings.isEmpty());
    m_table->setColumnWidth(0, 90);
    m_table->setColumnWidth(1, 520);
    m_table->horizontalHeader()->setStretchLastSection(true);
    QStringList roles;
    for (const auto &[member, name] : { std::pair { status.isOperator, u"idemdesk_operator"_s },
             std::pair { status.isApprover, u"idemdesk_approver"_s },
             std::pair { status.isAdmin, u"idemdesk_admin"_s } }) {
        if (member) {
            roles += name;
        }
    }
    QStringList sentences;
    sentences += status.findings.isEmpty()
        ? tr("The guard is whole: triggers, functions and grants are as they were installed, and no role has too much.")
        : status.red() ? tr("The guard is not whole. No action can start until the red findings are mended.")
                       : tr("The guard is whole; these findings weaken what the trail proves.");
    sentences += status.newerThanKnown()
        ? tr("The schema has version %1, and this program knows versions up to %2: update the program before you act.")
              .arg(status.installedVersion)
              .arg(status.knownVersion)
        : status.installedVersion == sql::ConsoleStatus::kPreRelease
        ? tr("A pre-release installed the schema. Export its trail, uninstall it, and install again.")
        : status.installedVersion < status.knownVersion
        ? tr("The schema has version %1; this program brings version %2.")
              .arg(status.installedVersion)
              .arg(status.knownVersion)
        : tr("The schema has version %1.").arg(status.installedVersion);
    m_upgrade->setVisible(status.installedVersion > 0 && status.installedVersion < status.knownVersion);
    sentences += roles.isEmpty() ? tr("This login may read the trail.")
                                 : tr("This login is a member of %1.").arg(roles.join(u", "_s));
    m_text->setText(sentences.join(u' '));
}

} // namespace idemdesk::ui
