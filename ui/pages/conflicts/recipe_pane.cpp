// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/conflicts/recipe_pane.h"

#include "models/compare/compare_controller.h"
#include "models/compare/recipe_keeper.h"
#include "models/connection/connection_controller.h"
#include "models/format/display_text.h"
#include "ui/theme/surfaces.h"
#include "ui/theme/theme.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/questions.h"
#include "ui/widgets/target_chooser.h"

#include <QDir>
#include <QPainter>
#include <QPushButton>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

constexpr int kWholeSentence = 4'000; // characters of a sentence that quotes payloads

} // namespace

RecipePane::RecipePane(models::ConnectionController *connection, models::CompareController *compare,
    models::RecipeKeeper *keeper, QWidget *parent)
    : QWidget(parent)
    , m_connection(connection)
    , m_compare(compare)
    , m_keeper(keeper)
    , m_found(readableLabel(u"compareRecipeFound"_s, this))
    , m_of(noteLabel({}, u"compareRecipeOf"_s, this))
    , m_keep(new QWidget(this))
    , m_target(new TargetChooser(u"compareTarget"_s, m_keep))
    , m_check(new QPushButton(tr("&Test on stored rows"), m_keep))
    , m_save(new QPushButton(tr("&Save recipe…"), m_keep))
    , m_checked(readableLabel(u"compareChecked"_s, this))
{
    m_target->setAccessibleName(tr("Table whose rows the recipe is tried on"));
    m_target->offerOnly(
        [](const models::TargetEntry &entry) { return entry.target.profile.has(sql::Role::Fingerprint); });
    m_target->setPlaceholderText(tr("Choose a table…"));
    m_check->setObjectName(u"compareCheck"_s);
    m_save->setObjectName(u"compareSave"_s);
    barRow({ m_target, m_check, m_save, nullptr }, m_keep);
    auto *layout = partColumn(this);
    layout->setContentsMargins(3 * kGrid, 2 * kGrid, 3 * kGrid, 2 * kGrid);
    layout->setSpacing(kGrid);
    m_found->setFont(Theme::heading());
    layout->addWidget(m_found);
    layout->addWidget(m_of);
    layout->addWidget(m_keep);
    layout->addWidget(m_checked);
    connect(m_target, &TargetChooser::chosen, this, &RecipePane::sync);
    connect(m_check, &QPushButton::clicked, this, [this] { emit checkWanted(m_target->target()); });
    connect(m_save, &QPushButton::clicked, this, &RecipePane::save);
    connect(m_keeper, &models::RecipeKeeper::changed, this, &RecipePane::sync);
    connect(m_connection, &models::ConnectionController::targetsChanged, this, &RecipePane::fillTargets);
    connect(m_connection, &models::ConnectionController::stateChanged, this, &RecipePane::sync);
    fillTargets();
}

/// Which of several tables the fingerprint is of nobody but a person knows: none is chosen for them.
void RecipePane::fillTargets()
{
    const QString chosen = m_target->target();
    m_target->refill(m_connection->targets(), chosen);
    if (chosen.isEmpty() && m_target->count() > 1) {
        m_target->setCurrentIndex(-1);
    }
    sync();
}

void RecipePane::sync()
{
    const auto &comparison = m_compare->comparison();
    const bool found = comparison && comparison->recipe && comparison->recipe->recipe;
    if (found) {
        m_found->setText(u"✓ "_s
            + tr("Recipe found: %1").arg(models::displayText(comparison->recipe->recipe->inWords(), kWholeSentence)));
        m_of->setText(
            tr("It makes the stored fingerprint out of “%1”.").arg(models::displayText(comparison->recipeOf, 200)));
    }
    m_keep->setVisible(found && m_target->count() > 0);
    m_check->setEnabled(
        !m_target->target().isEmpty() && !m_keeper->busy() && m_connection->state() == sql::LinkState::Connected);
    m_save->setEnabled(m_keeper->canSave() && !m_keeper->busy());
    QStringList lines;
    if (m_keeper->busy()) {
        lines += tr("Fingerprints of stored rows are made again…");
    }
    if (m_keeper->error()) {
        lines += models::displayText(m_keeper->error()->line(), kWholeSentence);
    }
    for (const QString &text : m_keeper->words()) {
        lines += models::displayText(text, kWholeSentence);
    }
    m_checked->setText(lines.join(u' '));
    m_checked->setVisible(found && !lines.isEmpty());
    setVisible(found);
}

/// In the colour of what went well, as a notice is.
void RecipePane::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const QColor base = themeColor(Token::Base);
    const QColor good = themeColor(Token::Succeeded);
    drawPanel(
        &painter, rect(), badgeFill(good, base, themeScheme()), badgeFrame(good, base, 0.55, themeScheme()), kRadius);
}

void RecipePane::save()
{
    const QString folder = m_connection->profileFolder();
    QDir().mkpath(folder);
    QFileDialog *dialog = saveFileDialog(this, u"recipeFile"_s, tr("Save the profile with this recipe"),
        m_keeper->file().isEmpty() ? QDir(folder).filePath(m_keeper->profileName() + u".json"_s) : m_keeper->file(),
        { tr("Profiles (*.json)") });
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString &path) {
        if (const auto kept = m_keeper->save(path); !kept) {
            emit failed(kept.error());
            return;
        }
        emit saved(path);
        m_connection->refreshTargets();
    });
    openDialog(dialog);
}

} // namespace idemdesk::ui
