// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/key_page.h"

#include <QHash>
#include <QToolButton>
#include <QWidget>

class QButtonGroup;
class QVBoxLayout;

namespace idemdesk::ui {

/// A page's button with a count at its right end, which is shown only where something needs a person.
class RailButton final : public QToolButton
{
    Q_OBJECT

public:
    /// What waits for a person, or what is on fire.
    enum class Mood { Waiting, Firing };

    using QToolButton::QToolButton;
    void setCount(const QString &count, Mood mood); ///< empty: none
    QString count() const { return m_count; }
    Mood mood() const { return m_mood; }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    void paintCount(QPainter *painter) const;

    QString m_count;
    Mood m_mood = Mood::Waiting;
};

/// The pages' names down the left: icon, name, and a count only where something needs a person. The place of a page,
/// and with it its keys, stays the same whatever other pages there are.
class Rail final : public QWidget
{
    Q_OBJECT

public:
    explicit Rail(QWidget *parent = nullptr);
    void addPage(const QString &id, const QString &title, const QString &iconName);
    void setOffered(const QString &id, bool offered, const QString &title); ///< else the page has no button
    void setKeys(const QString &id, const QString &keys); ///< of the keyboard, as text; empty: none
    void setCurrent(const QString &id);
    /// No rows show none.
    void setCount(const QString &id, const sql::RowCount &count, const QString &explanation,
        RailButton::Mood mood = RailButton::Mood::Waiting);
    void setCount(
        const QString &id, qint64 count, const QString &explanation, RailButton::Mood mood = RailButton::Mood::Waiting);

signals:
    void chosen(const QString &id);

protected:
    void changeEvent(QEvent *event) override;

private:
    void fitWidth();
    void showToolTip(const QString &id);

    QVBoxLayout *m_layout;
    QButtonGroup *m_group;
    QHash<QString, RailButton *> m_buttons;
    QHash<QString, QString> m_titles;
    QHash<QString, QString> m_keys;
    QHash<QString, QString> m_waiting; ///< what a page's count says
};

} // namespace idemdesk::ui
