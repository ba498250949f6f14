// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QStringList>

class QLabel;
class QLineEdit;
class QListWidget;
class QPushButton;
class QTextBrowser;

namespace idemdesk::ui {

/// Every page of the help: a list of them, a search over all that shows its first hit at once, and the page that is
/// read. It stays open beside the window that it explains.
class HelpDialog final : public QDialog
{
    Q_OBJECT

public:
    explicit HelpDialog(QWidget *parent);

    /// Shows a page over the window that asks, in the dialog that it has open already or in a new one. A topic that
    /// does not exist shows the first page.
    static HelpDialog *showTopic(QWidget *parent, const QString &topic);

    void turnTo(const QString &topic, const QString &heading = {}); ///< heading: scrolls there
    QString topic() const { return m_topic; }

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    /// Whether a page was asked for, or came up by itself while somebody types; of those one alone is gone back to.
    enum class Step { Asked, Typed };

    void wire();
    void listTopics();
    void search(const QString &words);
    void listHits(const QString &words);
    void chosen(int row);
    void show(const QString &topic, const QString &heading, Step step = Step::Asked);
    void render();
    void mark(); ///< what is searched for, in the page
    void scrollTo(const QString &heading);
    void scrollToHit();
    void markInList();

    QLineEdit *m_search;
    QLabel *m_found;
    QListWidget *m_list;
    QTextBrowser *m_page;
    QPushButton *m_back;
    QString m_topic;
    Step m_step = Step::Asked; ///< of the page in front
    QStringList m_before; ///< topics that were read, the newest last
};

} // namespace idemdesk::ui
