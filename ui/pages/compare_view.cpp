// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/compare_view.h"

#include "models/compare/compare_controller.h"
#include "models/compare/recipe_keeper.h"
#include "models/connection/connection_controller.h"
#include "models/format/display_text.h"
#include "models/format/quantities.h"
#include "ui/pages/target_chooser.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/notice_bar.h"

#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMimeData>
#include <QProgressBar>
#include <QPushButton>
#include <QStackedWidget>
#include <QTabWidget>
#include <QTableView>
#include <QTreeView>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

constexpr int kWholeText = 4'000; // characters of a sentence that quotes payloads
constexpr int kUnfold = 400; // rows a tree opens by itself

} // namespace

void CompareView::wire()
{
    connect(m_ignore, &QLineEdit::editingFinished, this, &CompareView::applyRules);
    connect(m_fingerprint, &QLineEdit::editingFinished, this, &CompareView::applyFingerprint);
    connect(m_parts, &QLineEdit::editingFinished, this, &CompareView::applyFingerprint);
    connect(m_origin, &QComboBox::activated, this, &CompareView::applyFingerprint);
    connect(m_only, &QCheckBox::toggled, this, [this](bool only) {
        m_compare->treeModel()->setOnlyDifferences(only);
        m_compare->sideModel()->setOnlyDifferences(only);
    });
    connect(m_compare->treeModel(), &QAbstractItemModel::modelReset, this, [this] {
        const auto &comparison = m_compare->comparison();
        if (comparison && comparison->json() && (m_only->isChecked() ? qsizetype(comparison->diff.counts.data() + comparison->diff.counts.form) : qsizetype(comparison->diff.nodes.size())) <= kUnfold) {
            m_tree->expandAll();
        } else {
            m_tree->expandToDepth(0);
        }
    });
    connect(m_stop, &QPushButton::clicked, m_compare, &models::CompareController::cancel);
    connect(m_notice, &NoticeBar::primaryClicked, m_compare, &models::CompareController::compare);
    connect(m_compare, &models::CompareController::changed, this, &CompareView::update);
    connect(m_check, &QPushButton::clicked, this, [this] {
        const auto &comparison = m_compare->comparison();
        const models::TargetEntry *entry = m_connection->target(m_target->currentData().toString());
        const auto parts = models::requestParts(m_parts->text());
        if (entry != nullptr && parts && comparison && comparison->recipe && comparison->recipe->recipe) {
            m_keeper->check(*entry, *comparison->recipe->recipe, *parts);
        }
    });
    connect(m_save, &QPushButton::clicked, this, &CompareView::saveRecipe);
    connect(m_keeper, &models::RecipeKeeper::changed, this, &CompareView::updateRecipe);
    const auto fill = [this] {
        const QString kept = m_target->currentData().toString();
        m_target->clear();
        for (const models::TargetEntry &entry : m_connection->targets()) {
            if (entry.target.profile.has(sql::Role::Fingerprint)) {
                addTarget(m_target, entry.target.profile);
            }
        }
        m_target->setCurrentIndex(std::max(0, m_target->findData(kept)));
        updateRecipe();
    };
    connect(m_connection, &models::ConnectionController::targetsChanged, this, fill);
    connect(m_connection, &models::ConnectionController::stateChanged, this, &CompareView::updateRecipe);
    fill();
}

void CompareView::openFile(int side)
{
    auto *dialog = new QFileDialog(this, tr("Open a payload"));
    dialog->setObjectName(u"compareFile"_s);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    dialog->setNameFilters({ tr("JSON (*.json)"), tr("All files (*)") });
    connect(dialog, &QFileDialog::fileSelected, this, [this, side](const QString &path) { m_compare->openFile(side, path); });
    dialog->open();
}

void CompareView::paste(int side)
{
    const QString text = QGuiApplication::clipboard()->text();
    if (text.isEmpty()) {
        m_notice->showNotice(NoticeBar::Kind::Info, tr("Nothing is copied."), tr("Copy a payload first, then paste it here."));
        return;
    }
    m_compare->setSide(side, side == 0 ? tr("the first, pasted") : tr("the second, pasted"), text.toUtf8());
}

void CompareView::dragEnterEvent(QDragEnterEvent *event)
{
    if (event->mimeData()->hasUrls()) {
        event->acceptProposedAction();
    }
}

void CompareView::dropEvent(QDropEvent *event)
{
    // Two files are both payloads; one is that of the half it falls on.
    QStringList files;
    for (const QUrl &url : event->mimeData()->urls()) {
        if (url.isLocalFile()) {
            files += url.toLocalFile();
        }
    }
    if (files.size() >= 2) {
        m_compare->openFile(0, files.at(0));
        m_compare->openFile(1, files.at(1));
    } else if (!files.isEmpty()) {
        m_compare->openFile(event->position().x() < width() / 2.0 ? 0 : 1, files.constFirst());
    }
}

void CompareView::applyRules()
{
    if (m_ignore->text() != m_rules) { // leaving the field changes nothing
        const QString text = m_ignore->text();
        if (m_compare->setIgnore(text.split(u' ', Qt::SkipEmptyParts))) {
            m_rules = text;
        }
    }
}

void CompareView::applyFingerprint()
{
    const auto parts = models::requestParts(m_parts->text());
    if (!parts) {
        m_notice->showError(parts.error());
        return;
    }
    m_keeper->clear();
    m_compare->setFingerprint(m_fingerprint->text().trimmed(), *parts, static_cast<models::PayloadOrigin>(m_origin->currentData().toInt()));
}

void CompareView::setRequests(const QList<models::CaseRequest> &requests)
{
    m_compare->clear();
    m_requests = requests;
    for (int side = 0; side < 2; ++side) {
        QPushButton *choice = m_choices[size_t(side)];
        choice->setVisible(!requests.isEmpty());
        choice->menu()->clear();
        for (qsizetype i = 0; i < requests.size(); ++i) {
            const QString name = models::displayText(requests.at(i).name, 80).replace(u'&', u"&&"_s);
            QAction *action = choice->menu()->addAction(requests.at(i).tooLarge ? tr("%1 (too large; open it from a file)").arg(name) : name, this, [this, side, i] { takeRequest(side, i); });
            action->setEnabled(!requests.at(i).tooLarge);
        }
    }
    takeFields({});
    for (qsizetype i = 0, side = 0; i < requests.size() && side < 2; ++i) {
        if (!requests.at(i).tooLarge) {
            takeRequest(int(side++), i);
        }
    }
}

void CompareView::takeRequest(int side, qsizetype at)
{
    const models::CaseRequest &request = m_requests.at(at);
    m_compare->setSide(side, request.name, request.payload);
    if (side == 0) {
        takeFields(request);
    }
}

void CompareView::takeFields(const models::CaseRequest &first)
{
    m_rules = first.ignore.join(u' ');
    m_ignore->setText(m_rules);
    m_compare->setIgnore(first.ignore); // as the profile has them: a pointer may hold a blank
    m_parts->setText(models::partsText(first.parts));
    m_origin->setCurrentIndex(std::max(0, m_origin->findData(int(first.origin))));
    setFingerprint(first.fingerprint);
}

void CompareView::setFingerprint(const QString &stored)
{
    m_fingerprint->setText(stored);
    applyFingerprint();
}

void CompareView::showTab(const QString &name) { m_tabs->setCurrentIndex(name == u"sides" ? 1 : 0); }

void CompareView::update()
{
    const bool busy = m_compare->busy();
    if (m_compare->error()) {
        m_notice->showError(*m_compare->error());
    } else {
        m_notice->clear();
    }
    for (int side = 0; side < 2; ++side) {
        m_names[size_t(side)]->setText(m_compare->has(side) ? tr("%1, %2").arg(models::displayText(m_compare->name(side), 60), models::bytesText(m_compare->size(side))) : tr("nothing yet"));
    }
    m_progress->setVisible(busy);
    m_stop->setVisible(busy);
    const auto &comparison = m_compare->comparison();
    if (busy) {
        m_empty->show(u"conflicts"_s, tr("Comparing"), tr("Large payloads take some seconds; the window stays free meanwhile."));
    } else {
        m_empty->show(u"conflicts"_s, tr("Two payloads are needed"),
            tr("Open, paste or drop the request that came first and the one that came again. With a stored fingerprint it is also looked for how the service made it."));
    }
    m_stack->setCurrentWidget(comparison ? m_answer : static_cast<QWidget *>(m_empty));
    if (comparison) {
        m_summary->setText(models::displayText(comparison->summary, kWholeText));
        QStringList why;
        for (const QString &text : { comparison->notJson, comparison->why }) {
            if (!text.isEmpty()) {
                why += models::displayText(text, kWholeText);
            }
        }
        m_why->setText(why.join(u' '));
        m_why->setVisible(!why.isEmpty());
        m_recipe->setText(models::displayText(comparison->recipeSentence, kWholeText));
        m_recipe->setVisible(!comparison->recipeSentence.isEmpty());
        m_tabs->setTabEnabled(0, comparison->json());
        if (!comparison->json()) {
            m_tabs->setCurrentIndex(1);
        }
    }
    updateRecipe();
}

void CompareView::updateRecipe()
{
    const auto &comparison = m_compare->comparison();
    const bool found = comparison && comparison->recipe && comparison->recipe->recipe;
    m_keep->setVisible(found && m_target->count() > 0);
    m_check->setEnabled(!m_keeper->busy() && m_connection->state() == sql::LinkState::Connected);
    m_save->setEnabled(m_keeper->canSave() && !m_keeper->busy());
    QStringList lines;
    if (m_keeper->busy()) {
        lines += tr("Fingerprints of stored rows are made again…");
    }
    if (m_keeper->error()) {
        lines += models::displayText(m_keeper->error()->line(), kWholeText);
    }
    for (const QString &text : m_keeper->words()) {
        lines += models::displayText(text, kWholeText);
    }
    m_checked->setText(lines.join(u' '));
    m_checked->setVisible(found && !lines.isEmpty());
}

void CompareView::saveRecipe()
{
    auto *dialog = new QFileDialog(this, tr("Save the profile with this recipe"));
    dialog->setObjectName(u"recipeFile"_s);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(u"json"_s);
    dialog->setNameFilters({ tr("Profiles (*.json)") });
    const QString folder = m_connection->profileFolder();
    QDir().mkpath(folder);
    dialog->selectFile(m_keeper->file().isEmpty() ? QDir(folder).filePath(m_keeper->profileName() + u".json"_s) : m_keeper->file());
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString &path) {
        const auto saved = m_keeper->save(path);
        if (!saved) {
            m_notice->showError(saved.error());
            return;
        }
        m_notice->showNotice(NoticeBar::Kind::Info, tr("The recipe is kept in %1.").arg(models::displayText(path, 200)), tr("Profiles of that folder are read when the console looks for tables again."));
        m_connection->refreshTargets();
    });
    dialog->open();
}

} // namespace idemdesk::ui
