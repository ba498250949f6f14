// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/keys/key_columns.h"
#include "models/request/request.h"
#include "models/table/row_model_base.h"
#include "sql/keys/order.h"
#include "sql/types/key_page.h"
#include "sql/types/target.h"

#include <memory>
#include <vector>

namespace idemdesk::models {

class GroupSession;
struct MergedPage;

/// Keys of all members of a group under one filter, in one order, each with the member that holds it. Read in pages as
/// they are scrolled to: of each member by keyset, and a server says how their values sort. A member that fails is
/// named by notes(); the others go on. Lives on the GUI thread.
class GroupKeysModel final : public RowModelBase
{
    Q_OBJECT

public:
    static constexpr int kPage = 200;
    static constexpr int kMemberColumn = 0; ///< the others are those of the table, see columns()

    /// session: outlives the model.
    explicit GroupKeysModel(GroupSession *session, QObject *parent = nullptr);
    ~GroupKeysModel() override;

    /// Reads from the beginning. A filter that cannot be read leaves the rows as they are and gives its error.
    sql::Result<void> ask(const QString &targetName, const QString &filter);
    void refresh(); ///< the same again, from the beginning
    /// What several members hold alike is one row then; else each has its own. Before ask().
    void setPaired(bool paired) { m_paired = paired; }
    QString target() const { return m_target; } ///< profile's name; empty: nothing was asked
    QString filter() const { return m_filter; }

    bool busy() const { return m_pending > 0 || m_ranking.busy(); }
    bool complete() const { return !more() && !busy(); } ///< the last key was read
    int asked() const { return int(m_parts.size()); } ///< members
    int answered() const; ///< of these, those whose keys are in the list
    /// What is missing in the list and why, a sentence a member; what the servers note beside it.
    QStringList notes() const;
    QString orderUsed() const { return m_order; }
    bool orderIsTime() const { return m_orderIsTime; }
    /// A member answers now that did not when the list was read.
    bool outdated() const;

    struct Row {
        int member = 0;
        sql::KeyRecord record;
        QList<int> others {}; ///< further members whose row reads the same
    };
    const Row *row(int number) const; ///< null where there is no such row
    /// The filter that finds a row in its own member.
    QString filterOf(int row) const;
    const QList<KeyColumnSpec> &columns() const { return m_columns; } ///< without the member's

    bool showsTime(int column) const override;
    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

signals:
    void changed(); ///< busy, notes or the number of rows

private:
    /// One member's place in the list.
    struct Part {
        int member = 0;
        sql::Target target;
        sql::Filter filter;
        sql::ResolvedOrder order;
        sql::Cursor from;
        sql::KeyPage page; ///< the newest one, from there on
        sql::Timestamp now;
        bool more = true;
        std::optional<sql::Error> error;
        std::unique_ptr<Request> request;
    };

    void begin();
    void addMember(int member);
    void readMore();
    void readParts(); ///< of each member its share
    void readPart(std::size_t number);
    void rank();
    void merge(const QList<qint64> &ranks);
    void append(const MergedPage &page);
    bool alike(const sql::KeyRecord &a, const sql::KeyRecord &b) const;
    QString labels(const Row &row) const;
    void giveUp(int member); ///< it does not answer any more
    QVariant memberData(const Row &row, int role) const;

    GroupSession *m_session;
    QString m_target;
    QString m_filter;
    QString m_order;
    bool m_orderIsTime = false;
    bool m_paired = false;
    QList<KeyColumnSpec> m_columns;
    QList<Row> m_rows;
    std::vector<Part> m_parts; ///< a member each, in the group's order
    int m_pending = 0; ///< members that are being read
    int m_share = kPage; ///< rows that are asked of each
    qsizetype m_goal = 0; ///< rows that the page which is being read is to end with
    Request m_ranking { QStringLiteral("group/ranks") };
};

} // namespace idemdesk::models
