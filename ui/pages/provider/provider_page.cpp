// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/provider/provider_page.h"

#include "models/connection/connection_controller.h"
#include "models/filter/filter_parser.h"
#include "models/provider/evidence_controller.h"
#include "models/provider/provider_controller.h"
#include "models/provider/statement_controller.h"
#include "models/settings.h"
#include "ui/dialogs/statement_wizard.h"
#include "ui/pages/provider/open_requests_view.h"
#include "ui/pages/provider/statement_view.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/page_header.h"
#include "ui/widgets/questions.h"
#include "ui/widgets/target_chooser.h"

#include <QPushButton>
#include <QTabWidget>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

enum ProviderTab { OpenTab, StatementTab };

bool hasProvider(const models::TargetEntry &entry)
{
    return entry.target.profile.provider.has_value();
}

} // namespace

Page::Face ProviderPage::ownFace()
{
    return { u"provider"_s, tr("Provider"), u"provider"_s };
}

bool ProviderPage::isFor(const models::ConnectionController &connection)
{
    const QList<models::TargetEntry> &targets = connection.targets();
    return std::any_of(targets.cbegin(), targets.cend(), hasProvider);
}

ProviderPage::ProviderPage(models::ConnectionController *connection, const Controllers &controllers,
    models::Settings *settings, QWidget *parent)
    : Page(ownFace(), parent)
    , m_connection(connection)
    , m_controllers(controllers)
    , m_settings(settings)
    , m_target(new TargetChooser(u"providerTarget"_s, this))
    , m_import(new QPushButton(tr("&Import a statement…"), this))
    , m_tabs(new QTabWidget(this))
    , m_openView(new OpenRequestsView(connection, controllers.provider, settings, this))
    , m_statementView(new StatementView(
          connection, { controllers.statement, controllers.evidence, controllers.actions }, settings, this))
{
    setObjectName(u"providerPage"_s);
    m_target->offerOnly(hasProvider);
    m_import->setObjectName(u"providerImport"_s);
    m_import->setToolTip(tr("Compares a provider's file with the keys of this table"));
    auto *header = new PageHeader(ownFace().title, this);
    header->add({ m_target, nullptr, m_import });
    m_tabs->setObjectName(u"providerTabs"_s);
    m_tabs->setAccessibleName(tr("Keys that wait, and a statement"));
    m_tabs->setDocumentMode(true);
    m_tabs->addTab(m_openView, tr("Open requests"));
    m_tabs->addTab(m_statementView, tr("Statement"));
    auto *layout = pageColumn(this);
    layout->addWidget(header);
    layout->addWidget(m_tabs, 1);
    wire();
    takeTargets();
}

void ProviderPage::wire()
{
    connect(m_import, &QPushButton::clicked, this, &ProviderPage::import);
    connect(m_target, &TargetChooser::chosen, this, [this] {
        m_left.clear(); // that was a file of the other table's provider
        takeTarget();
    });
    connect(m_openView, &OpenRequestsView::counted, this, [this](const QString &keys) {
        m_tabs->setTabText(
            OpenTab, keys.isEmpty() ? tr("Open requests") : tr("Open requests (%1)", "a number").arg(keys));
    });
    connect(m_tabs, &QTabWidget::currentChanged, this, &ProviderPage::syncImport);
    connect(m_controllers.statement, &models::StatementController::changed, this, &ProviderPage::syncImport);
    connect(m_openView, &OpenRequestsView::connectClicked, this, &ProviderPage::connectClicked);
    connect(m_openView, &OpenRequestsView::keyWanted, this, &ProviderPage::showKey);
    connect(m_statementView, &StatementView::connectClicked, this, &ProviderPage::connectClicked);
    connect(m_statementView, &StatementView::importClicked, this, [this] {
        m_left.clear(); // the button names the file that is meant
        import();
    });
    connect(m_statementView, &StatementView::keyWanted, this, &ProviderPage::showKey);
    connect(m_statementView, &StatementView::installClicked, this, &ProviderPage::installClicked);
    connect(m_statementView, &StatementView::registerClicked, this, &ProviderPage::registerClicked);
    // A trial is no word about the provider's next statement; what was recorded by is.
    connect(m_controllers.evidence, &models::EvidenceController::changed, this, [this] {
        const auto &result = m_controllers.statement->result();
        if (result && m_controllers.evidence->recorded(result)) {
            m_settings->setStatementMap(result->provider, result->facts.map);
        }
    });
    connect(m_connection, &models::ConnectionController::targetsChanged, this, &ProviderPage::takeTargets);
    connect(m_connection, &models::ConnectionController::factsChanged, this, &ProviderPage::takeTargets);
}

void ProviderPage::activate()
{
    takeTargets();
    m_openView->activate();
}

void ProviderPage::refresh()
{
    if (m_tabs->currentWidget() == m_openView) {
        m_openView->refresh();
    } else if (m_controllers.statement->result() && !m_controllers.statement->busy()) {
        m_controllers.statement->compareAgain();
    }
}

void ProviderPage::refreshByItself()
{
    if (m_tabs->currentWidget() == m_openView) {
        m_openView->refresh();
    }
}

void ProviderPage::setTimeFormat(const models::TimeFormat &format)
{
    m_openView->setTimeFormat(format);
    m_statementView->setTimeFormat(format);
}

void ProviderPage::showTab(const QString &name)
{
    m_tabs->setCurrentIndex(name == u"statement" ? StatementTab : OpenTab);
}

void ProviderPage::showTarget(const QString &name)
{
    m_left.clear();
    m_target->choose(name);
    takeTarget();
}

void ProviderPage::takeTargets()
{
    m_target->refill(m_connection->targets(), {});
    takeTarget();
}

void ProviderPage::takeTarget()
{
    const models::TargetEntry *entry = m_connection->target(m_target->target());
    m_import->setEnabled(entry != nullptr);
    if (entry != nullptr) {
        m_controllers.provider->setTarget(entry->target);
        m_controllers.statement->setTarget(entry->target);
        if (isVisible()) {
            m_openView->activate();
        }
    }
    m_statementView->setTarget(m_target->target());
    syncImport();
}

/// Where the empty page offers the same, once is enough.
void ProviderPage::syncImport()
{
    const bool offered = m_tabs->currentIndex() == StatementTab && !m_controllers.statement->result()
        && !m_controllers.statement->busy() && m_suggested.isEmpty() && m_import->isEnabled();
    m_import->setVisible(!offered);
}

void ProviderPage::showKey(const QString &key)
{
    emit keysWanted(m_target->target(), u"key:"_s + models::quoteFilterValue(key));
}

void ProviderPage::suggest(const QString &path)
{
    m_suggested = path;
    m_statementView->suggest(path);
    syncImport();
}

void ProviderPage::import()
{
    const models::TargetEntry *entry = m_connection->target(m_target->target());
    if (entry == nullptr || m_wizard != nullptr) {
        return;
    }
    const auto &spec = entry->target.profile.provider;
    m_wizard = new StatementWizard(m_settings, entry->target.profile, spec ? spec->name : QString(), window());
    connect(m_wizard, &StatementWizard::comparisonWanted, this, [this](const models::StatementQuestion &question) {
        m_left.clear();
        showTab(u"statement"_s);
        m_controllers.evidence->forget();
        m_controllers.statement->compare(question);
    });
    connect(m_wizard, &QDialog::rejected, this, [this] { m_left = m_wizard->path(); }); // for another try
    m_wizard->setPath(m_left.isEmpty() ? m_suggested : m_left);
    openDialog(m_wizard);
}

} // namespace idemdesk::ui
