// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/action.h"

#include <QWidget>

class QLabel;
class QPushButton;
class QTableView;

namespace idemdesk::models {
class CauseController;
class Settings;
struct TargetEntry;
class TriageController;
} // namespace idemdesk::models

namespace idemdesk::ui {

class NoticeBar;

/// Why keys of the table failed: causes with their counts, what each means, and the way to its keys. What passes by
/// itself and was stored as final is offered for a correction.
class CausesView final : public QWidget
{
    Q_OBJECT

public:
    CausesView(models::TriageController *triage, models::Settings *settings, QWidget *parent);
    void activate(); ///< it is looked at now: read what was never read

signals:
    void keysWanted(const QString &filter); ///< on the keys page
    void changeWanted(const QString &filter, idemdesk::sql::ActionVerb verb); ///< on the page recovery

protected:
    void showEvent(QShowEvent *event) override;

private:
    void sync();
    void syncSelected();
    int current() const; ///< row of the model; -1: none

    models::TriageController *m_triage;
    models::CauseController *m_causes;
    NoticeBar *m_notice;
    QTableView *m_table;
    QLabel *m_meaning;
    QLabel *m_bound;
    QPushButton *m_keys;
    QPushButton *m_change;
};

} // namespace idemdesk::ui
