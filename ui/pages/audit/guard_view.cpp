// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/audit/guard_view.h"

#include "models/actions/action_center.h"
#include "models/audit/audit_controller.h"
#include "models/format/display_text.h"
#include "models/format/time_format.h"
#include "models/table/item_role.h"
#include "ui/delegates/health_delegate.h"
#include "ui/delegates/state_delegate.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/notice_bar.h"
#include "ui/widgets/table_setup.h"

#include <QHeaderView>
#include <QPushButton>
#include <QStandardItemModel>
#include <QTableView>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

/// What was not looked at is not called intact.
QString intactSentence(bool weakened, bool verified)
{
    if (weakened) {
        return verified
            ? GuardView::tr("Protection intact; the findings weaken what the audit log proves.")
            : GuardView::tr("Protection intact; the findings weaken the audit log, which is not verified yet.");
    }
    return verified ? GuardView::tr("Protection intact")
                    : GuardView::tr("Protection intact; the audit log is not verified yet.");
}

} // namespace

GuardView::GuardView(
    models::ActionCenter *center, models::AuditController *audit, models::Settings *settings, QWidget *parent)
    : QWidget(parent)
    , m_center(center)
    , m_audit(audit)
    , m_notice(new NoticeBar(this))
    , m_checkedAt(noteLabel({}, u"guardCheckedAt"_s, this))
    , m_check(new QPushButton(tr("Check now"), this))
    , m_checks(new QTableView(this))
    , m_checkModel(new QStandardItemModel(0, 4, this))
    , m_upgrade(new QPushButton(tr("Upgrade…"), this))
    , m_table(new QTableView(this))
    , m_model(new QStandardItemModel(0, 3, this))
{
    m_notice->setObjectName(u"guardNotice"_s);
    m_upgrade->setObjectName(u"guardUpgrade"_s);
    setUpTable(m_table,
        { u"guardFindings"_s, tr("Findings about the guard"), m_model, {}, QAbstractItemView::ExtendedSelection },
        settings);
    setUpChecks(settings);
    auto *head = barRow({});
    head->addWidget(m_checkedAt, 1);
    head->addWidget(m_upgrade);
    head->addWidget(m_check);
    auto *layout = tabColumn(this);
    layout->addLayout(head);
    layout->addWidget(m_notice);
    layout->addWidget(m_checks);
    layout->addWidget(m_table, 1);
    layout->addStretch(0); // where there is no finding, the checks stay on top
    connect(m_check, &QPushButton::clicked, this, [this] {
        m_center->refresh();
        m_audit->verify();
    });
    connect(m_upgrade, &QPushButton::clicked, this, &GuardView::upgradeClicked);
}

void GuardView::setUpChecks(models::Settings *settings)
{
    m_check->setObjectName(u"guardCheck"_s);
    m_check->setToolTip(tr("Looks at the guard again, and computes each row's hash of the audit log"));
    m_checkModel->setHorizontalHeaderLabels({ tr("Check"), tr("Result"), tr("Found"), tr("Guards against") });
    setUpTable(m_checks,
        { u"guardChecks"_s, tr("What was checked"), m_checkModel, { 130, 150, 300, 300 },
            QAbstractItemView::ExtendedSelection },
        settings);
    m_checks->setItemDelegateForColumn(1, new StateDelegate(m_checks));
    m_checks->setWordWrap(true);
    m_checks->verticalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    // It ends at its rows: as high as they are, whatever their sentences wrap to.
    m_checks->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_checks->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    m_checks->horizontalHeader()->setSectionResizeMode(2, QHeaderView::Stretch);
    m_checks->horizontalHeader()->setSectionResizeMode(3, QHeaderView::Stretch);
    const auto fit = [this] {
        const int rows = m_checks->verticalHeader()->length() + m_checks->horizontalHeader()->height();
        m_checks->setFixedHeight(rows + 2 * m_checks->frameWidth());
    };
    connect(m_checks->verticalHeader(), &QHeaderView::geometriesChanged, this, fit);
    connect(m_checks->verticalHeader(), &QHeaderView::sectionResized, this, fit);
    connect(m_checkModel, &QAbstractItemModel::rowsInserted, this, fit, Qt::QueuedConnection);
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
            finding.red ? tr("Stops actions") : tr("Weakens"));
        auto *text = new QStandardItem(models::displayText(finding.finding, 400));
        auto *remedy = new QStandardItem(models::displayText(finding.remedy, 400));
        for (QStandardItem *item : { severity, text, remedy }) {
            item->setToolTip(item->text());
        }
        m_model->appendRow({ severity, text, remedy });
    }
    m_table->setVisible(!findings.isEmpty());
    // What is wrong and what to do are sentences: both get the room there is, and as many lines as they need.
    QHeaderView *header = m_table->horizontalHeader();
    header->setSectionResizeMode(0, QHeaderView::ResizeToContents);
    header->setSectionResizeMode(1, QHeaderView::Stretch);
    header->setSectionResizeMode(2, QHeaderView::Stretch);
    m_table->setWordWrap(true);
    m_table->verticalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    showVerdict();
    m_upgrade->setVisible(
        status.installedVersion > 0 && status.installedVersion < status.knownVersion && !m_center->standby());
    syncChecks();
}

/// One sentence on top, green only where everything was looked at and found whole.
void GuardView::showVerdict()
{
    using Kind = NoticeBar::Kind;
    const sql::ConsoleStatus &status = m_center->status();
    const auto &check = m_audit->check();
    const auto say = [this](Kind kind, const QString &sentence) { m_notice->showNotice(kind, sentence); };
    if (!m_center->statusKnown()) {
        m_notice->clear();
    } else if (status.red()) {
        say(Kind::Error, tr("Not protected. No action can start until the red findings are fixed."));
    } else if (status.newerThanKnown()) {
        say(Kind::Warning,
            tr("The schema has version %1, this program knows %2: update the program before you act.")
                .arg(status.installedVersion)
                .arg(status.knownVersion));
    } else if (status.installedVersion == sql::ConsoleStatus::kPreRelease) {
        say(Kind::Warning,
            tr("A pre-release installed the schema. Export its audit log, uninstall it, and install again."));
    } else if (check && !check->whole()) {
        say(Kind::Error, models::displayText(check->sentence(), 600));
    } else {
        const bool verified = check && check->walked;
        const bool weakened = !status.findings.isEmpty();
        say(weakened ? Kind::Warning : verified ? Kind::Good : Kind::Info, intactSentence(weakened, verified));
    }
}

void GuardView::addCheck(const Check &check)
{
    const Badge look = healthBadge(check.level, check.result);
    auto *badge = new QStandardItem(check.result);
    badge->setData(int(check.level), models::LevelRole);
    badge->setData(int(look.state), models::StateRole);
    badge->setData(look.stale, models::StaleRole);
    auto *compared = new QStandardItem(models::displayText(check.compared, 1'000));
    auto *against = new QStandardItem(check.against);
    for (QStandardItem *sentence : { compared, against }) {
        sentence->setToolTip(sentence->text());
    }
    m_checkModel->appendRow({ new QStandardItem(check.what), badge, compared, against });
}

void GuardView::syncChecks()
{
    using Level = sql::HealthLevel;
    const sql::ConsoleStatus &status = m_center->status();
    const auto red = std::count_if(
        status.findings.cbegin(), status.findings.cend(), [](const sql::GuardFinding &finding) { return finding.red; });
    const auto amber = status.findings.size() - red;
    const auto &check = m_audit->check();
    m_check->setEnabled(m_center->statusKnown() && !m_audit->verifying());
    const QString when = models::TimeFormat::named().text(sql::Timestamp::fromDateTime(m_audit->checkedAt()));
    m_checkedAt->setText(m_audit->verifying() ? tr("The audit log is being checked…")
            : !check                          ? QString()
            : check->walked                   ? tr("The audit log was checked at %1 (this computer's clock).").arg(when)
                            : tr("The end of the audit log was compared at %1 (this computer's clock).").arg(when));
    m_checkedAt->setVisible(!m_checkedAt->text().isEmpty());
    m_checkModel->removeRows(0, m_checkModel->rowCount());
    addCheck({ tr("Guard"), red == 0 ? Level::Good : Level::Problem, red == 0 ? tr("OK") : tr("Not intact"),
        red == 0 ? tr("Triggers, functions and grants are as they were installed.")
                 : tr("%Ln red finding(s) about triggers, functions or grants.", nullptr, int(red)),
        tr("Changes that leave no audit row.") });
    addCheck({ tr("Privileges"), amber == 0 ? Level::Good : Level::Advice, amber == 0 ? tr("OK") : tr("Weakened"),
        amber == 0 ? tr("No excess privileges.")
                   : tr("%Ln finding(s) weaken what the audit log proves.", nullptr, int(amber)),
        tr("Logins that could change actions or the log past the console.") });
    const bool verified = check && check->walked;
    addCheck({ tr("Audit log"),
        check && !check->whole() ? Level::Problem
            : verified           ? Level::Good
                                 : Level::Unknown,
        check && !check->whole() ? tr("Not intact")
            : verified           ? tr("OK")
                                 : tr("Not verified"),
        !check ? tr("The audit log was not checked yet.") : check->sentence(),
        tr("Rows that were altered, removed or cut off.") });
    const bool current = status.installedVersion == status.knownVersion;
    addCheck({ tr("Schema version"), current ? Level::Good : Level::Problem, current ? tr("OK") : tr("Different"),
        status.installedVersion > 0 ? current ? tr("The schema has version %1.").arg(status.installedVersion)
                                              : tr("The schema has version %1; this program brings version %2.")
                                                    .arg(status.installedVersion)
                                                    .arg(status.knownVersion)
                                    : tr("The schema's version is not known."),
        tr("Acting by functions that this program does not know.") });
    addLogin();
}

void GuardView::addLogin()
{
    const sql::ConsoleStatus &status = m_center->status();
    QStringList roles;
    for (const auto &[member, name] : { std::pair { status.isOperator, tr("act") },
             std::pair { status.isApprover, tr("approve") }, std::pair { status.isAdmin, tr("register tables") } }) {
        if (member) {
            roles += name;
        }
    }
    const QString login = tr("This login");
    const QString against = tr("Acting without the role for it.");
    if (roles.isEmpty()) {
        addCheck({ login, sql::HealthLevel::Nothing, tr("Reads only"), tr("It may read the audit log."), against });
        return;
    }
    const QString may = tr("By its roles it may %1.", "a list of verbs").arg(roles.join(u", "_s));
    // What a role allows is not what goes now: nobody reads a tick beside a red guard as leave to act.
    if (status.red()) {
        addCheck({ login, sql::HealthLevel::Problem, tr("Blocked"),
            may + u' ' + tr("No action can start until the red findings are fixed."), against });
    } else if (status.isOperator && !m_center->mayAct()) {
        addCheck({ login, sql::HealthLevel::Advice, tr("Cannot act now"), may + u' ' + m_center->whyNot(), against });
    } else {
        addCheck({ login, sql::HealthLevel::Good, tr("Allowed"),
            tr("This login may %1.", "a list of verbs").arg(roles.join(u", "_s)), against });
    }
}

} // namespace idemdesk::ui
