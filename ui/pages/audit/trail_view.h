// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/action.h"

#include <QSet>
#include <QWidget>
#include <optional>

class QAbstractItemDelegate;
class QComboBox;
class QDateTimeEdit;
class QLineEdit;
class QPushButton;
class QTableView;
class QTreeView;

namespace idemdesk::models {
class AuditController;
class JsonTreeModel;
class Settings;
} // namespace idemdesk::models

namespace idemdesk::ui {

class FactGrid;
class NoticeBar;

/// The trail, newest first: its filters, its check, its export, and all of the row that is chosen.
class TrailView final : public QWidget
{
    Q_OBJECT

public:
    TrailView(models::AuditController *audit, models::Settings *settings, QWidget *parent = nullptr);
    void sync();

signals:
    void rowsWanted(const QString &action);

private:
    QWidget *buildFilters();
    QWidget *buildDetail();
    void applyFilter();
    void clearFilter();
    bool foldable(int row) const;
    void fold();
    void unfold();
    void showBatches(); ///< whether the chosen row has such, and the button that shows them
    void showRow();
    void showFacts(const sql::AuditRow &row);
    void askAccept();
    void askExport();
    std::optional<sql::AuditRow> current() const;

    models::AuditController *m_audit;
    QLineEdit *m_text;
    QLineEdit *m_person;
    QLineEdit *m_target;
    QComboBox *m_what;
    QComboBox *m_when;
    QDateTimeEdit *m_from;
    QDateTimeEdit *m_to;
    QString m_action; ///< only rows of this one
    QPushButton *m_verify;
    QPushButton *m_export;
    NoticeBar *m_verdict;
    NoticeBar *m_narrowed;
    QTableView *m_table;
    QWidget *m_detail;
    FactGrid *m_facts;
    models::JsonTreeModel *m_json;
    QTreeView *m_tree;
    QPushButton *m_rows;
    QPushButton *m_batches;
    QPushButton *m_only;
    QAbstractItemDelegate *m_foldedDelegate = nullptr;
    QMap<int, QString> m_folded; ///< rows that stand for those behind them, with what they say
    QSet<QString> m_unfolded; ///< ids of actions whose batches all stand there
    QByteArray m_shown; ///< hash of the row in the detail
};

} // namespace idemdesk::ui
