// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/casefile/case_file.h"
#include "ui/pages/page.h"

class QTabWidget;

namespace idemdesk::models {
class CompareController;
class ConflictController;
class ConnectionController;
class DuplicateController;
class RecipeKeeper;
class Settings;
} // namespace idemdesk::models

namespace idemdesk::ui {

class CompareView;
class ConflictsView;
class DuplicatesView;

/// What looks like a defect of a client: reused keys as they were recorded, requests that look repeated, and two
/// payloads compared. Leads to their verdicts.
class ConflictsPage final : public Page
{
    Q_OBJECT

public:
    /// Those of a workspace; they outlive the page.
    struct Controllers {
        models::ConflictController *conflicts;
        models::DuplicateController *duplicates;
        models::CompareController *compare;
        models::RecipeKeeper *recipes;
    };

    ConflictsPage(models::ConnectionController *connection, const Controllers &controllers, models::Settings *settings,
        QWidget *parent = nullptr);
    static Face ownFace(); ///< known before there is one

    void activate() override; ///< the page was shown
    void refresh() override; ///< the tab in front reads again
    void refreshByItself() override; ///< only what was recorded: a search or a comparison is asked for
    void showTab(const QString &name); ///< "conflicts", "duplicates" or "compare"
    void compareRequests(const QList<models::CaseRequest> &requests);
    void setTimeFormat(const models::TimeFormat &format) override;

    ConflictsView *conflictsView() const { return m_conflictsView; }
    CompareView *compareView() const { return m_compareView; }
    DuplicatesView *duplicatesView() const { return m_duplicatesView; }

signals:
    void keyWanted(const QString &target, const QString &key); ///< target may be empty: not known
    void conflictVerdictWanted(const idemdesk::sql::ConflictRecord &conflict);
    void verdictWanted(const QString &target, const QStringList &keys, const QList<idemdesk::sql::Cells> &scopes);

private:
    void wire();

    Controllers m_controllers;
    QTabWidget *m_tabs;
    ConflictsView *m_conflictsView;
    DuplicatesView *m_duplicatesView;
    CompareView *m_compareView;
};

} // namespace idemdesk::ui
