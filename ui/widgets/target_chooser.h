// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>
#include <functional>

namespace idemdesk::models {
struct TargetEntry;
}

namespace idemdesk::ui {

/// Chooses one of the connection's tables: its title, and muted its name in the database. It takes the room there is
/// and no more, however long the names are; the list it drops shows them whole. What was chosen is remembered: a lost
/// connection takes the tables away, and brings them back.
class TargetChooser final : public QComboBox
{
    Q_OBJECT

public:
    using Fits = std::function<bool(const models::TargetEntry &)>;

    explicit TargetChooser(const QString &objectName, QWidget *parent);

    void offerOnly(Fits fits); ///< else every table is offered
    void offerAll(const QString &text); ///< one more entry, for all tables: it stands first, and its name is empty
    void prefer(Fits fits); ///< the table that is taken where none was chosen: the first one like this, else the first
    /// Lists the tables anew. The name of the one to show: `shown`, else the one chosen last, else the preferred one;
    /// empty where there is none.
    QString refill(const QList<models::TargetEntry> &entries, const QString &shown);
    /// As if a person had chosen it, but for the signal.
    void choose(const QString &name);
    QString target() const { return currentData().toString(); } ///< its profile's name
    QString wanted() const { return m_wanted; } ///< the one chosen last, wherever it is now

    /// As wide as the longest title beside its place, within reason.
    QSize sizeHint() const override;

signals:
    void chosen(const QString &name); ///< by a person

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    void add(const models::TargetEntry &entry);

    Fits m_offered;
    Fits m_preferred;
    QString m_all;
    QString m_wanted;
    int m_widest = 0; ///< of the entries, in pixels
};

} // namespace idemdesk::ui
