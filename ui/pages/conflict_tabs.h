// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/casefile/case_file.h"
#include "models/format/time_format.h"
#include "sql/types/local_place.h"

#include <QWidget>

class QTabWidget;

namespace idemdesk::models {
class CompareController;
class ComplaintController;
class ConflictController;
class ConnectionController;
class DuplicateController;
class RecipeKeeper;
class Settings;
}

namespace idemdesk::ui {

class CompareView;
class ComplaintView;
class ConflictsPage;
class DuplicatesView;

/// From a conflict or a complaint to a verdict: recorded conflicts, the intents a complaint may mean, what looks repeated, and two
/// payloads compared. Leads from one to the other.
class ConflictTabs final : public QWidget
{
    Q_OBJECT

public:
    ConflictTabs(models::ConnectionController *connection, models::ConflictController *conflicts, models::Settings *settings, QWidget *parent = nullptr);

    void activate(); ///< the page was shown
    void refresh(); ///< the tab in front reads again
    void showTab(const QString &name); ///< "conflicts", "complaint", "duplicates" or "compare"
    void compareRequests(const QList<models::CaseRequest> &requests);
    void setTimeFormat(const models::TimeFormat &format);
    void setConflictsHere(const sql::LocalPlace &place); ///< where imports are kept on this computer

    ConflictsPage *conflictsPage() const { return m_page; }
    models::ComplaintController *complaint() const { return m_complaint; }
    models::DuplicateController *duplicates() const { return m_duplicates; }
    models::CompareController *compare() const { return m_compare; }
    ComplaintView *complaintView() const { return m_complaintView; }
    CompareView *compareView() const { return m_compareView; }
    DuplicatesView *duplicatesView() const { return m_duplicatesView; }

signals:
    void connectClicked();
    void keyWanted(const QString &target, const QString &key); ///< target may be empty: not known
    void keysWanted(const QString &target, const QString &filter);

private:
    void wire();

    models::ConnectionController *m_connection;
    models::ConflictController *m_conflicts;
    models::ComplaintController *m_complaint;
    models::DuplicateController *m_duplicates;
    models::CompareController *m_compare;
    models::RecipeKeeper *m_keeper;
    QTabWidget *m_tabs;
    ConflictsPage *m_page;
    ComplaintView *m_complaintView;
    DuplicatesView *m_duplicatesView;
    CompareView *m_compareView;
};

} // namespace idemdesk::ui
